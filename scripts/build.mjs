/** `npm run build`: builds the web app if it is stale. The server runs from source. */
import { ensureWebBuilt } from './build-web.mjs';
import { ensureInstalled } from './install.mjs';
import { exclusively } from './lock.mjs';

await exclusively(async () => {
  await ensureInstalled({ withDevelopment: false });
  await ensureWebBuilt();
});
