import type { Caller } from '../accounts/identify.ts';
import type { Context } from '../context.ts';
import type { InTurn } from '../accounts/account-turns.ts';
import type { Serve } from '../http/serve.ts';
import { inactivityPreview } from './jobs/inactive-files.ts';

export function maintenanceRoutes(serve: Serve<Caller>, context: Context, inTurn: InTurn): void {
  serve('getInactiveFiles', async ({ caller: { account }, query }) =>
    inTurn(account.id, () => inactivityPreview(context, account.id, query.days)),
  );
}
