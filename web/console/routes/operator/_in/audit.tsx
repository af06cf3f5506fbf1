import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { Filters } from '../../../parts/filters.tsx';
import { List, type ListQuery } from '../../../parts/list-page.tsx';
import { Older } from '../../../parts/older.tsx';
import { Page } from '../../../parts/page.tsx';
import { numberOf, stated, textOf } from '../../../parts/search.ts';
import { useTexts } from '../../../parts/texts.ts';
import { type AuditEntry, auditLog } from '../../../queries/operator/platform.ts';
import { audit } from '../../../texts/audit.ts';
import { history } from '../../../texts/history.ts';
import { operator } from '../../../texts/operator.ts';
import { titles } from '../../../texts/titles.ts';
import { platform } from '../../../texts/platform.ts';
import { AUDIT_COLUMNS } from './-platform/audit-columns.tsx';
import { ActorPick, SubjectPick } from './-shown/picks.tsx';

export const Route = createFileRoute('/operator/_in/audit')({
  validateSearch: (raw: Record<string, unknown>) =>
    stated({
      cursor: numberOf(raw['cursor']),
      actor_id: numberOf(raw['actor_id']),
      action: textOf(raw['action']),
      subject_type: textOf(raw['subject_type']),
      subject_id: numberOf(raw['subject_id']),
    }),
  staticData: { title: (language) => titles[language].operatorAudit, views: 'audit' },
  component: Audit,
});

function Audit() {
  const t = useTexts(platform);
  const title = useTexts(operator).audit;
  const subjects = { ...useTexts(history).subjects, ...useTexts(audit).subjects };
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  const { data } = useQuery(auditLog(search));
  return (
    <Page title={title}>
      <Filters
        values={search}
        filters={[
          { kind: 'text', name: 'action', label: t.action },
          { kind: 'own', name: 'actor_id', label: t.actorId, field: ActorPick },
          {
            kind: 'choice',
            name: 'subject_type',
            label: t.subjectType,
            options: Object.entries(subjects).map(([value, label]) => ({ value, label })),
          },
          { kind: 'own', name: 'subject_id', label: t.subjectId, field: SubjectPick },
        ]}
        onChange={(change) =>
          void navigate({
            search: (was) => stated({ ...was, ...change, cursor: undefined }) as never,
          })
        }
      />
      <List
        label={title}
        query={auditLog(search) as unknown as ListQuery<AuditEntry>}
        columns={AUDIT_COLUMNS}
        texts={t}
        rowKey={({ id }) => id}
        empty={{ title: t.noAudit }}
        searchEmpty={Object.keys(search).length > 0 ? { title: t.noneFound } : null}
        onPage={null}
      />
      <Older to="/operator/audit" search={search} next={data?.next_cursor ?? null} words={t} />
    </Page>
  );
}
