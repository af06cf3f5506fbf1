import {
  defineSearchAttributeKey,
  type SearchAttributeUpdatePair,
  type SearchAttributeType,
} from '@temporalio/common';
import {
  patched,
  setCurrentDetails,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import { SEARCH_ATTRIBUTES } from './contracts/search-attributes.ts';
import { dueOf, needsOperator, sentenceOf, type Standing } from './contracts/stages.ts';

type AttributeName = keyof typeof SEARCH_ATTRIBUTES;
type Value = string | number | boolean | Date | null;

/**
 * Says how this flow stands, in one sentence on its page and in the columns of Temporal's lists. An
 * attribute is written when it changes. Flows that began before there were attributes get them with
 * their next live step: their replay has none up to there.
 */
export function show(standing: Standing): void {
  setCurrentDetails(sentenceOf(standing));
  const due = dueOf(standing);
  const wanted: [AttributeName, Value][] = [
    ['FlowState', standing.stage],
    ['NeedsOperator', needsOperator(standing)],
    ['DueAt', due === null ? null : new Date(due)],
    ...(standing.payoutState === undefined
      ? []
      : ([['PayoutState', standing.payoutState]] as [AttributeName, Value][])),
  ];
  const changed = wanted.filter(([name, value]) => !same(shown(name), value));
  // The end of a flow is a column of every list already: it alone is not worth an event.
  const isOnlyEnd = standing.stage === 'ended' && changed.every(([name]) => name === 'FlowState');
  if (changed.length === 0 || isOnlyEnd || !patched('search-attributes')) return;
  upsertSearchAttributes(changed.map(([name, value]) => pair(name, value)));
}

const keyOf = (name: AttributeName) =>
  defineSearchAttributeKey<SearchAttributeType>(name, SEARCH_ATTRIBUTES[name]);

const shown = (name: AttributeName): unknown =>
  workflowInfo().typedSearchAttributes.get(keyOf(name)) ?? null;

/** What was never written is nobody's turn and due at no time. */
const same = (left: unknown, right: Value): boolean =>
  left instanceof Date && right instanceof Date
    ? left.getTime() === right.getTime()
    : left === right || (left === null && right === false);

/** The table above says which type belongs to which name. */
const pair = (name: AttributeName, value: Value): SearchAttributeUpdatePair =>
  ({ key: keyOf(name), value }) as SearchAttributeUpdatePair;
