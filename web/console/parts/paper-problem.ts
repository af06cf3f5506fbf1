import { ApiError } from '../../client/client.ts';
import { kyc } from '../texts/kyc.ts';
import { useTexts } from './texts.ts';

/** Why a paper was not taken and what to do, in the reader's language; else what the platform said. */
export function usePaperProblem(): (error: Error) => string {
  const { problems } = useTexts(kyc);
  return (error) => {
    const problem = error instanceof ApiError ? error.hints['problem'] : undefined;
    const known = Object.entries(problems).find(([name]) => name === problem);
    return known?.[1] ?? error.message;
  };
}
