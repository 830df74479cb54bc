import { CallFailed } from '@holdfast/contract/src/call-failed.ts';
import { readReply } from '@holdfast/contract/src/envelope.ts';
import { type PolicyPath, type PolicyText, policyTextPath } from '@holdfast/contract/src/policies.ts';
import { useQuery } from '@tanstack/react-query';

/** The policy that the operator wrote for a page. */
export const usePolicyText = (page: PolicyPath) =>
  useQuery({
    queryKey: ['policy-text', page],
    queryFn: ({ signal }) => fetchPolicyText(page, signal),
    staleTime: Infinity,
  });

async function fetchPolicyText(page: PolicyPath, signal: AbortSignal): Promise<PolicyText> {
  try {
    const answer = await fetch(policyTextPath(page), { signal });
    const { policy } = readReply(answer.status, await answer.text(), null) as { readonly policy: PolicyText };
    return policy;
  } catch (error) {
    if (error instanceof CallFailed) throw error;
    signal.throwIfAborted();
    throw new CallFailed('no-response', 0, { cause: error });
  }
}
