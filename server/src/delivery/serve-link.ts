import type { IncomingMessage, ServerResponse } from 'node:http';
import { planOf } from '../accounts/plan-of.ts';
import type { LinkContext } from '../context.ts';
import { BlobMissing, BlobsUnavailable } from '../storage/blobs/blobs.ts';
import { DatabaseUnavailable } from '../storage/db/database.ts';
import { respondTo, bodyLength, type FileResponse, type Representation, textResponse } from './file-response.ts';
import { ClientGone } from './send-response.ts';
import { sendAnswer, sendFromMemory } from './send-response.ts';
import { isPreviewBot } from '../http/preview-bots.ts';
import { days, minutes } from '../lib/clock.ts';
import { QueueFull } from '../lib/semaphore.ts';
import { type BlobCache, largestCached } from './blob-cache.ts';
import { checkStored, repeatedBytes, storedBytes } from './byte-sources.ts';
import { sendElsewhere } from './send-elsewhere.ts';
import { createRepresentations } from './representations.ts';
import { createFinder } from './resolve-target.ts';
import type { LookUp, PublicFile } from './look-up.ts';
import {
  beingChecked,
  beingHashed,
  serviceUnavailable,
  digestRepresentationOf,
  scriptUseRefused,
  noSuchFile,
  tooManyMissed,
} from './file-headers.ts';
import type { HitCounter } from './hits.ts';
import { createMissedLinks, isGuessable, type MissedLinks } from './missed-links.ts';
import { isScriptRequest } from './block-script-use.ts';
import type { PreviewBursts } from './preview-bursts.ts';
import { planSpeed, type Throttle } from './throttle.ts';

export interface DeliveryParts {
  readonly context: LinkContext;
  readonly look: LookUp;
  readonly hits: HitCounter;
  readonly cache: BlobCache;
  readonly throttle: Throttle;
  readonly bursts: PreviewBursts;
}

/** One request for a public link. */
export interface LinkRequest {
  readonly raw: IncomingMessage;
  readonly response: ServerResponse;
  /** The decoded path after `/file/`. */
  readonly target: string;
  /** False if the request asks not to be counted: then it is neither a hit nor a use. */
  readonly counted: boolean;
  /** Key of the shared token bucket (see `clientKey`). */
  readonly client: string;
}

/** Handles a request for a public link: looks up, decides, sends. It never rejects; the client sees the failure. */
export type ServeLink = (request: LinkRequest) => Promise<void>;

export function createLinkServer(parts: DeliveryParts): ServeLink {
  const representationOf = createRepresentations();
  const find = createFinder(parts.look);
  const missedLinks = createMissedLinks(parts.context);
  return async (request) => {
    const { raw, response } = request;
    const method = raw.method ?? 'GET';
    try {
      if (isScriptRequest(raw.headers)) return sendFromMemory(response, scriptUseRefused(method));
      const guessable = isGuessable(request.target);
      const wait = guessable ? missedLinks.waitFor(request.client) : 0;
      if (wait > 0) return sendFromMemory(response, tooManyMissed(method, wait));
      const found = await find(request.target);
      // Everything in flight was looked up, so what exists must be refused like what does not.
      const waitNow = guessable ? missedLinks.waitFor(request.client) : 0;
      if (waitNow > 0) return sendFromMemory(response, tooManyMissed(method, waitNow));
      if (!found) return sendFromMemory(response, await missedAnswer(missedLinks, request));
      if (found.file.pendingScan === 1) return sendFromMemory(response, beingChecked(method));
      if (found.kind === 'file') return await deliverFile(parts, request, found.file, representationOf(found.file));
      if (found.kind === 'sha256') return sendDigest(request, found.file, found.file.sha256);
      const sha1 = await sha1InTime(parts.context, found.file);
      if (sha1 === null) return sendFromMemory(response, beingHashed(method));
      // Computing it takes a while, and the file may have been deleted since it was looked up.
      if (await find(request.target)) sendDigest(request, found.file, sha1);
      else sendFromMemory(response, noSuchFile(method));
    } catch (error) {
      fail(parts, request, error);
    }
  };
}

function sendDigest({ raw, response }: LinkRequest, file: PublicFile, digest: string): void {
  const answer = respondTo(raw.method ?? 'GET', raw.headers, digestRepresentationOf(file, digest));
  sendFromMemory(response, answer, Buffer.from(digest));
}

/** Proxies give up on a response that takes longer. */
const longestHashingMs = 20_000;

/** Returns null if the digest takes too long or too many others wait for theirs. The computation goes on and is stored. */
async function sha1InTime({ sha1 }: Pick<LinkContext, 'sha1'>, file: PublicFile): Promise<string | null> {
  const late = Promise.withResolvers<null>();
  const timer = setTimeout(late.resolve, longestHashingMs, null);
  try {
    return await Promise.race([sha1.of(file), late.promise]);
  } catch (error) {
    if (error instanceof QueueFull) return null;
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

async function missedAnswer(missedLinks: MissedLinks, { raw, client }: LinkRequest): Promise<FileResponse> {
  const method = raw.method ?? 'GET';
  const wait = await missedLinks.count(client);
  return wait === 0 ? noSuchFile(method) : tooManyMissed(method, wait);
}

async function deliverFile(
  parts: DeliveryParts,
  request: LinkRequest,
  file: PublicFile,
  what: Representation,
): Promise<void> {
  const { context, hits, cache, throttle, bursts } = parts;
  const { raw, response } = request;
  const isPreview = isPreviewBot(raw.headers['user-agent']);
  const plan = planOf(context, { level: file.level, own_limits: file.ownLimits });
  const burst = isPreview && planSpeed(plan) !== Infinity ? bursts.of(request.client, file.id) : null;
  const answer = respondTo(raw.method ?? 'GET', raw.headers, what);
  const use = useOf(request, answer, isPreview);
  const onStart = () => noteUse(hits, file, use);
  if (use !== null && isSoonOverdue(file, context.clock.now())) await hits.writeAccess(file.id);
  if (raw.method === 'HEAD' && !cache.holds(file.blobId)) await checkStored(context, file);
  if (answer.pieces.every((piece) => Buffer.isBuffer(piece))) {
    onStart();
    return sendFromMemory(response, answer);
  }
  // nginx would send all of it at the speed of the plan.
  const isBurst = burst !== null && burst.level() > 0;
  if (!isBurst && (await sendElsewhere(context, request, { file, answer, speed: planSpeed(plan), onStart }))) return;
  using pace = throttle.open(request.client, file.id, plan, burst);
  if (file.size > largestCached)
    return await sendAnswer(response, answer, { source: storedBytes(context, file), pace, onStart });
  const cached = cache.get(file.blobId, file.size, file.level);
  const bytes = Buffer.isBuffer(cached) ? cached : await cached;
  if (pace?.takeAtOnce(bodyLength(answer)) === false)
    return await sendAnswer(response, answer, { source: repeatedBytes(bytes), pace, onStart });
  onStart();
  sendFromMemory(response, answer, bytes);
}

/** A hit is an access as well. */
type Use = 'hit' | 'access' | null;

/**
 * A hit is a GET that sends the file from its first byte. A file is in use as well if a client gets any part of it, or a
 * confirmation that its copy is current: a browser that revalidates a picture gets a 304. The fetch of a bot that shows a
 * preview is no hit, because nobody opened the link, but people see the file in the chat, so auto-delete must keep it.
 */
function useOf({ raw, counted }: LinkRequest, { status, sendsFirstByte }: FileResponse, isPreview: boolean): Use {
  if (!counted) return null;
  if (sendsFirstByte && !isPreview) return 'hit';
  return raw.method === 'GET' && (status === 200 || status === 206 || status === 304) ? 'access' : null;
}

function noteUse(hits: HitCounter, { id }: PublicFile, use: Use): void {
  if (use === 'hit') hits.note(id);
  else if (use === 'access') hits.noteAccess(id);
}

/**
 * Returns whether auto-delete, perhaps on another machine, could delete the file before the next flush of accesses. Then
 * the access is written before the response is sent.
 */
function isSoonOverdue({ uploadedAt, lastAccessedAt, autoDeleteDays }: PublicFile, now: number): boolean {
  const unusedSince = now - days(autoDeleteDays) + minutes(10);
  return autoDeleteDays > 0 && Math.max(uploadedAt, lastAccessedAt) <= unusedSince;
}

/** The client sees the failure and the operator gets an alarm; a short body must never look complete. */
function fail({ context }: DeliveryParts, { raw, response, target }: LinkRequest, error: unknown): void {
  if (error instanceof ClientGone) return void raw.socket.resetAndDestroy();
  const isUnavailable = error instanceof DatabaseUnavailable || error instanceof BlobsUnavailable;
  // The engine logs an outage of the database once, not once for each call.
  if (error instanceof BlobsUnavailable)
    context.log.warn({ err: error, target }, 'a file cannot be read at the moment');
  if (isUnavailable && !response.headersSent) return sendFromMemory(response, serviceUnavailable(raw.method ?? 'GET'));
  const damaged = error instanceof BlobMissing;
  context.log.error({ err: error, target }, damaged ? 'ALARM: stored bytes are missing or short' : 'a download failed');
  context.reports.report(error, 'download');
  if (response.headersSent) raw.socket.resetAndDestroy();
  else sendFromMemory(response, textResponse(raw.method ?? 'GET', 500, sorry));
}

const sorry = 'The file cannot be read at the moment. Its owner or the operator of this site can help.';
