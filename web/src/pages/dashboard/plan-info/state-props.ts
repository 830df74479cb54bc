import type { AccountInfo } from '@holdfast/contract/src/account.ts';
import type { PlanState } from './plan-state.ts';

/** What the words for some of the states get. */
export interface StateProps<Kind extends PlanState['kind']> {
  readonly state: Extract<PlanState, { readonly kind: Kind }>;
  readonly level: AccountInfo['level'];
}
