import { Group, List, Text } from '@mantine/core';
import { createFileRoute, notFound } from '@tanstack/react-router';
import { useContext } from 'react';
import { mayRead } from '../../../../../../../domain/task-rules.ts';
import { useWrite } from '../../../../../api.ts';
import { ButtonLink } from '../../../../../parts/button-link.tsx';
import { Loaded } from '../../../../../parts/loaded.tsx';
import { linkTo } from '../../../../../parts/link-to.ts';
import { Page } from '../../../../../parts/page.tsx';
import { oneOf } from '../../../../../parts/search.ts';
import { Section } from '../../../../../parts/section.tsx';
import { State } from '../../../../../parts/state.tsx';
import { useTexts, wordOf } from '../../../../../parts/texts.ts';
import {
  INVENTORY_TYPES,
  type InventoryPage,
  item,
  PLACED,
  recall,
} from '../../../../../queries/operator/inventory.ts';
import { deliveryReasons } from '../../../../../texts/delivery-reasons.ts';
import { operatorInventory } from '../../../../../texts/operator-inventory.ts';
import { placementReasons } from '../../../../../texts/placement-reasons.ts';
import { titles } from '../../../../../texts/titles.ts';
import { PartyLink } from '../../-party/party-link.tsx';
import { MyRole } from '../../-shown/my-role.ts';
import { useReasonWords } from '../../-shown/reason-words.ts';
import { InventorySubject } from '../../tasks/-review/inventory-subject.tsx';
import { ReviewRounds } from '../../tasks/-review/review-rounds.tsx';
import { useNoted } from '../-noted.tsx';
import { useSuspension } from '../-suspension.ts';

export const Route = createFileRoute('/operator/_in/inventory/$type/$id')({
  params: {
    parse: ({ type, id }) => {
      const known = oneOf(INVENTORY_TYPES, type);
      // oxlint-disable-next-line typescript/only-throw-error -- the router's own way
      if (known === undefined) throw notFound();
      return { type: known, id: Number(id) };
    },
    stringify: ({ type, id }) => ({ type, id: String(id) }),
  },
  loader: ({ context: { queryClient }, params: { type, id } }) => {
    void queryClient.prefetchQuery(item(type, id));
  },
  staticData: { title: (language) => titles[language].operatorInventory },
  component: InventoryItemPage,
});

function InventoryItemPage() {
  const { type, id } = Route.useParams();
  return (
    <Loaded query={item(type, id)} isPage>
      {(row) => <Shown row={row} />}
    </Loaded>
  );
}

function Shown({ row }: { row: InventoryPage }) {
  const t = useTexts(operatorInventory);
  const { type, id, account_id: account, detail } = row;
  const side = PLACED.some((each) => each === type) ? 'publisher' : 'advertiser';
  const role = useContext(MyRole);
  const list = `/operator/inventory?subject_type=${type}&account_id=${account}`;
  return (
    <Page
      title={row.name}
      crumbs={[{ text: wordOf(t.lists, type), to: list }]}
      beside={
        <>
          <State state={row.status} />
          <State state={row.audit_status} />
          <State state={row.delivery_status} />
        </>
      }
      lead={<PartyLink side={side} id={account} name={row.account_name} />}
      actions={[useRecall(row), ...useSuspension(row)]}
    >
      {role !== undefined && mayRead(role, `${type}_review`) && (
        <Group gap="xs">
          <ButtonLink
            {...linkTo(`/operator?subject_type=${type}&subject_id=${id}`)}
            variant="default"
            size="sm"
          >
            {t.tasks}
          </ButtonLink>
        </Group>
      )}
      <Said row={row} />
      <Section title={t.shown}>
        <InventorySubject type={type} detail={detail} taskId={null} />
      </Section>
      <ReviewRounds kind={`${type}_review`} history={detail.history} />
    </Page>
  );
}

/** What reviewers said last, and why it serves or does not, in the words of its owner's own page. */
function Said({ row }: { row: InventoryPage }) {
  const t = useTexts(operatorInventory);
  const words = { ...useTexts(deliveryReasons), ...useTexts(placementReasons) };
  const whyNot = useReasonWords(`${row.type}_review`, row.audit_reasons.length > 0);
  return (
    <>
      {row.audit_reasons.length > 0 && (
        <Section title={t.reasons}>
          <Text size="sm">{whyNot(row.audit_reasons)}</Text>
        </Section>
      )}
      <Section title={t.why}>
        {row.delivery_reasons.length === 0 ? (
          <Text size="sm">{t.serves}</Text>
        ) : (
          <List size="sm">
            {row.delivery_reasons.map((reason) => (
              <List.Item key={reason}>{wordOf(words, reason)}</List.Item>
            ))}
          </List>
        )}
      </Section>
    </>
  );
}

/** An approved thing that should not be: it stops, and a person decides anew. */
function useRecall(row: InventoryPage) {
  const t = useTexts(operatorInventory);
  const { mutateAsync } = useWrite(recall);
  return useNoted({
    label: t.recall,
    danger: true,
    route: 'POST /api/admin/inventory/recall',
    refusal: isApproved(row) ? null : t.notApproved,
    title: t.recallTitle(row.name),
    help: t.recallHelp,
    send: async (note) =>
      await mutateAsync({ body: { subject_type: row.type, subject_id: row.id, note } }),
    done: t.recalled,
  });
}

/** Of creatives and ads a version serves on while a newer one waits. */
function isApproved({ type, audit_status: status, detail }: InventoryPage): boolean {
  if (type === 'creative') return detail.creative?.approved_revision !== null;
  if (type === 'ad') return detail.ad?.approved_revision !== null;
  return status === 'APPROVED';
}
