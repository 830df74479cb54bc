import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { planOf } from '../accounts/plan-of.ts';
import type { LinkContext } from '../context.ts';
import { createOwnBuckets } from '../http/rate-limits.ts';
import { daysAgo } from '../lib/calendar-days.ts';
import { minutes } from '../lib/clock.ts';
import { inTime } from '../lib/in-time.ts';
import { QueueFull } from '../lib/semaphore.ts';
import { BlobsUnavailable, bytesAlarm, isOfBytes } from '../storage/blobs/blobs.ts';
import { type Database, DatabaseUnavailable } from '../storage/db/database.ts';
import { type BlobCache, largestCached } from './blob-cache.ts';
import type { DownloadBursts } from './download-bursts.ts';
import { bodyLength, type FileResponse, respondTo } from './file-response.ts';
import { wantsPage } from './error-page.ts';
import { createShowUnmet } from './failure-pages.ts';
import { type HitCounter, useOf } from './hits.ts';
import { findDownload, findReasonWithheld, type LookUp, type PublicFile } from './look-up.ts';
import { createRecentViews, type IsNewView } from './recent-views.ts';
import {
  beingChecked,
  beingHashed,
  createRefuse,
  noSuchFile,
  type Refusal,
  type Refuse,
  scriptUseRefused,
  serviceUnavailable,
  tooManyMissed,
  unreadable,
  withheld,
} from './refusals.ts';
import { createRepresentations, digestRepresentationOf } from './representation.ts';
import { isPreviewBot } from './robots.ts';
import { sendElsewhere } from './send-elsewhere.ts';
import { checkStored, ClientGone, repeatedBytes, sendFromMemory, sendResponse, storedBytes } from './send-response.ts';
import { planSpeed, type Throttle } from './throttle.ts';

export interface DeliveryParts {
  readonly context: LinkContext;
  readonly look: LookUp;
  /** Knows why a link is withheld. */
  readonly db: Database;
  readonly hits: HitCounter;
  readonly cache: BlobCache;
  readonly throttle: Throttle;
  readonly bursts: DownloadBursts;
}

export interface LinkRequest {
  readonly raw: IncomingMessage;
  readonly response: ServerResponse;
  readonly target: string;
  readonly counted: boolean;
  readonly client: string;
}

/** It never rejects; the client sees the failure. */
export type ServeLink = (request: LinkRequest) => Promise<void>;

export function createLinkServer(parts: DeliveryParts): ServeLink {
  const { context, look } = parts;
  const refuse = createRefuse(context.config);
  const shown = createShowUnmet(context.config);
  const isNewView = createRecentViews(context.clock);
  const representationOf = createRepresentations();
  const missedLinks = createOwnBuckets('missed links', context.clock);
  return async (request) => {
    const { raw, response, target, client } = request;
    const method = raw.method ?? 'GET';
    const refuseWith = (refusal: Refusal) => refuse(raw, response, refusal);
    try {
      if (isScriptRequest(raw.headers)) return refuseWith(scriptUseRefused);
      const waitFor = () => (isGuessable(target) ? missedLinks.waitFor(client) : 0);
      const wait = waitFor();
      if (wait > 0) return refuseWith(tooManyMissed(wait));
      const found = await findDownload(look, target);
      // Everything in flight was looked up, so what exists must be refused like what does not.
      const waitNow = waitFor() || (found ? 0 : missedLinks.take(client));
      if (waitNow > 0) return refuseWith(tooManyMissed(waitNow));
      if (!found) return refuseWith(await missing(parts, request));
      const { kind, file } = found;
      if (file.pendingScan === 1) return refuseWith(beingChecked);
      if (kind === 'file') {
        const decided = shown(raw, respondTo(method, raw.headers, representationOf(file)));
        return await deliverFile(parts, request, file, decided, isNewView);
      }
      const digest = kind === 'sha256' ? file.sha256 : await sha1InTime(context, file);
      if (digest === null) return refuseWith(beingHashed);
      // The file may have been deleted meanwhile.
      if (kind === 'sha1' && !(await findDownload(look, target))) return refuseWith(noSuchFile);
      const decided = shown(raw, respondTo(method, raw.headers, digestRepresentationOf(file, digest)));
      sendFromMemory(response, decided, Buffer.from(digest));
    } catch (error) {
      fail(parts, request, error, refuse);
    }
  };
}

/** Programs get the same line for every link that leads to no file. */
async function missing({ db }: DeliveryParts, { raw, target }: LinkRequest): Promise<Refusal> {
  const reason = wantsPage(raw.headers.accept) ? await findReasonWithheld(db, target) : undefined;
  return reason === undefined ? noSuchFile : withheld[reason];
}

const shortestSafeName = 8;

/** An address that has missed too many links gets no short one for a moment, whether it exists or not. */
export function isGuessable(target: string): boolean {
  const dot = target.indexOf('.');
  return (dot === -1 ? target.length : dot) < shortestSafeName;
}

/** If files and the app share an origin, a file used as a script would run as the app. */
function isScriptRequest(headers: IncomingHttpHeaders): boolean {
  if (headers['service-worker'] !== undefined) return true;
  return headers['sec-fetch-site'] === 'same-origin' && scriptUses.has(String(headers['sec-fetch-dest']));
}

const scriptUses = new Set('script style worker sharedworker serviceworker audioworklet paintworklet'.split(' '));

/** Proxies give up on a response that takes longer. */
const longestHashingMs = 20_000;

async function sha1InTime({ blobs }: Pick<LinkContext, 'blobs'>, file: PublicFile): Promise<string | null> {
  try {
    return await inTime(blobs.sha1.of(file), longestHashingMs, () => new QueueFull());
  } catch (error) {
    if (error instanceof QueueFull) return null;
    throw error;
  }
}

async function deliverFile(
  { context, hits, cache, throttle, bursts }: DeliveryParts,
  request: LinkRequest,
  file: PublicFile,
  decided: FileResponse,
  isNewView: IsNewView,
): Promise<void> {
  const { raw, response, client } = request;
  const isPreview = isPreviewBot(raw.headers['user-agent']);
  const use = request.counted ? useOf(raw.method ?? 'GET', decided, isPreview) : null;
  const onStart = () => hits.note(file.id, use === 'hit' && !isNewView(client, file.id) ? 'access' : use);
  if (use !== null && isSoonOverdue(file, context.clock.now())) await hits.writeAccess(file.id);
  if (raw.method === 'HEAD' && !cache.holds(file.blobId)) await checkStored(context, file);
  if (decided.pieces.every((piece) => Buffer.isBuffer(piece))) {
    onStart();
    return sendFromMemory(response, decided);
  }
  const plan = planOf(context, { level: file.level, own_limits: file.ownLimits });
  const speed = planSpeed(plan);
  const burst = speed === Infinity ? null : bursts.of(client, file.id, deepestStart(decided), isPreview ? 4 : 1);
  // nginx would send all of it at the speed of the plan.
  const isForPreview = isPreview && burst !== null && burst.level() > 0;
  if (!isForPreview && (await sendElsewhere(context, request, { file, decided, speed, onStart }))) return;
  using pace = throttle.open(client, file.id, plan, burst);
  if (file.size > largestCached)
    return await sendResponse(response, decided, { source: storedBytes(context, file), pace, onStart });
  const cached = cache.get(file.blobId, file.size, file.level);
  const bytes = Buffer.isBuffer(cached) ? cached : await cached;
  if (pace?.takeAtOnce(bodyLength(decided)) === false)
    return await sendResponse(response, decided, { source: repeatedBytes(bytes), pace, onStart });
  onStart();
  sendFromMemory(response, decided, bytes);
}

const deepestStart = ({ pieces }: FileResponse): number =>
  Math.max(...pieces.map((piece) => (Buffer.isBuffer(piece) ? 0 : piece.start)));

/** Whether auto-delete, perhaps on another machine, could delete the file before the access is written. */
function isSoonOverdue({ uploadedAt, lastAccessedAt, autoDeleteDays }: PublicFile, now: number): boolean {
  const unusedSince = daysAgo(now + minutes(10), autoDeleteDays);
  return autoDeleteDays > 0 && Math.max(uploadedAt, lastAccessedAt) <= unusedSince;
}

/** A short body must never look complete. */
function fail(
  { context }: DeliveryParts,
  { raw, response, target }: LinkRequest,
  error: unknown,
  refuse: Refuse,
): void {
  if (error instanceof ClientGone) return void raw.socket.resetAndDestroy();
  if (error instanceof BlobsUnavailable)
    context.log.warn({ err: error, target }, 'a file cannot be read at the moment');
  const isUnavailable = error instanceof DatabaseUnavailable || error instanceof BlobsUnavailable;
  if (isUnavailable && !response.headersSent) return refuse(raw, response, serviceUnavailable);
  context.log.error({ err: error, target }, isOfBytes(error) ? bytesAlarm(error) : 'a download failed');
  context.reports.report(error, 'download');
  if (response.headersSent) raw.socket.resetAndDestroy();
  else refuse(raw, response, unreadable);
}
