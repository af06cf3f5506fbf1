import { Text } from '@mantine/core';
import { Fragment } from 'react';
import type { Column } from '../../../../parts/list-page.tsx';
import { type Same, useMarks, useTexts, wordOf } from '../../../../parts/texts.ts';
import { When } from '../../../../parts/time.tsx';
import { NONE } from '../../../../parts/none.tsx';
import type { AuditEntry } from '../../../../queries/operator/platform.ts';
import { audit } from '../../../../texts/audit.ts';
import { history } from '../../../../texts/history.ts';
import type { platform } from '../../../../texts/platform.ts';
import { subject as subjectTexts } from '../../../../texts/subject.ts';
import { PageLink } from '../-shown/page-link.tsx';
import { type GivenReason, useReasonWord } from '../-shown/reason-words.ts';
import { SubjectLink } from '../-shown/subject-link.tsx';
import { useAuditValue } from './audit-values.ts';

type Words = Same<(typeof platform)['en']>;

export const AUDIT_COLUMNS: readonly Column<AuditEntry, Words>[] = [
  { key: 'at', title: (t) => t.at, cell: (row) => <When at={row.created_at} /> },
  {
    key: 'who',
    title: (t) => t.actor,
    cell: ({ actor }, t) => (
      <span className="words">{actor.type === 'SYSTEM' ? t.system : <Actor actor={actor} />}</span>
    ),
  },
  { key: 'action', title: (t) => t.action, cell: ({ action }) => <Action action={action} /> },
  {
    key: 'subject',
    title: (t) => t.subject,
    cell: ({ subject }) => <SubjectLink subject={subject} />,
  },
  {
    key: 'detail',
    title: (t) => t.detail,
    cell: ({ detail }) => <Detail detail={detail} />,
  },
  { key: 'request', title: (t) => t.request, cell: (row) => <Request id={row.request_id} /> },
];

interface Change {
  field: string;
  before: unknown;
  after: unknown;
}

/** In words, and as the filter wants it: the code narrows the list to what was done like this. */
function Action({ action }: Pick<AuditEntry, 'action'>) {
  const t = useTexts(audit);
  const verbs = { ...useTexts(history).verbs, ...useTexts(audit).verbs };
  const verb = action.slice(action.indexOf('.') + 1);
  const word = wordOf(verbs, verb);
  return (
    <>
      {word !== verb && <span className="words">{word}</span>}
      <Text size="xs" c="dimmed">
        <PageLink to={`/operator/audit?action=${action}`} aria-label={t.onlyAction(action)}>
          <code>{action}</code>
        </PageLink>
      </Text>
    </>
  );
}

/** Names of fields, and what stands in them, in words where they have some. */
function Detail({ detail }: Pick<AuditEntry, 'detail'>) {
  const known = { ...useTexts(subjectTexts).fields, ...useTexts(history).fields };
  const fields = { ...known, ...useTexts(audit).fields };
  const valueOf = useAuditValue();
  const { colon, comma } = useMarks();
  const called = (name: string): string => {
    const word = wordOf(fields, name);
    return word === name ? name.replaceAll('_', ' ') : word;
  };
  const changesOf = (value: unknown): string[] =>
    (Array.isArray(value) ? (value as Change[]) : []).map(
      ({ field, before, after }) =>
        `${called(field)}${colon}${valueOf(field, before, detail)} → ${valueOf(field, after, detail)}`,
    );
  const { reasons, ...rest } = detail;
  const said = Object.entries(rest).flatMap(([name, value]) =>
    name === 'changes'
      ? changesOf(value)
      : [`${called(name)}${colon}${valueOf(name, value, detail)}`],
  );
  return (
    <>
      {said.join(comma)}
      {Array.isArray(reasons) && (
        <div>
          {called('reasons')}
          {colon}
          <Reasons reasons={reasons as GivenReason[]} />
        </div>
      )}
    </>
  );
}

/** In the catalogue's words; the code, which the API has, for whoever points at them. */
function Reasons({ reasons }: { reasons: readonly GivenReason[] }) {
  const wordFor = useReasonWord();
  const { comma } = useMarks();
  return reasons.map((reason, index) => (
    <Fragment key={reason.code}>
      {index > 0 && comma}
      <span title={reason.code}>{wordFor(reason)}</span>
    </Fragment>
  ));
}

const Request = ({ id }: { id: string | null }) =>
  id === null ? (
    NONE
  ) : (
    <code title={id} style={{ whiteSpace: 'nowrap' }}>
      {id.slice(0, 8)}
    </code>
  );

/** An account with who of it acted, when that was not its owner. */
const Actor = ({ actor }: Pick<AuditEntry, 'actor'>) => (
  <>
    {actor.username ?? `${actor.type} ${actor.id ?? ''}`}
    {actor.member_email !== null && (
      <Text size="xs" c="dimmed">
        {actor.member_name} · {actor.member_email}
      </Text>
    )}
  </>
);
