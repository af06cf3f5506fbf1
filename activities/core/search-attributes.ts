import { defineSearchAttributeKey, type SearchAttributePair } from '@temporalio/common';
import {
  SEARCH_ATTRIBUTES,
  type StartAttributes,
} from '../../workflows/contracts/search-attributes.ts';

const key = <Name extends keyof typeof SEARCH_ATTRIBUTES>(name: Name) =>
  defineSearchAttributeKey(name, SEARCH_ATTRIBUTES[name]);

/** As Temporal takes them with the start of a flow; what is not known is not set. */
export function startAttributes(known: StartAttributes = {}): SearchAttributePair[] {
  const { state, accountId = null, subject, amountBand, dueAt } = known;
  return [
    ...(state === undefined ? [] : [{ key: key('FlowState'), value: state }]),
    ...(accountId === null ? [] : [{ key: key('AccountId'), value: accountId }]),
    ...(subject === undefined ? [] : [{ key: key('SubjectId'), value: subject }]),
    ...(amountBand === undefined ? [] : [{ key: key('AmountBand'), value: amountBand }]),
    ...(dueAt === undefined ? [] : [{ key: key('DueAt'), value: new Date(dueAt) }]),
  ];
}
