import type { Caller } from '../accounts/identify.ts';
import type { Context } from '../context.ts';
import type { Serve } from '../http/serve.ts';
import { inactivityPreview } from './inactive-files.ts';

export function maintenanceRoutes(serve: Serve<Caller>, context: Context): void {
  serve('getInactiveFiles', ({ caller, query }) => inactivityPreview(context, caller.account.id, query.days));
}
