import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Context } from '../context.ts';
import { blobPath } from '../engines/blobs/blob-id.ts';
import { BlobMissing } from '../engines/blobs/blobs.ts';
import { DatabaseUnavailable } from '../engines/database/database.ts';
import { canHandOver, handOver } from '../http/bytes/accel.ts';
import { answerFor, bodyLength, type FileAnswer, textAnswer } from '../http/bytes/file-response.ts';
import { ClientGone } from '../http/bytes/response-writer.ts';
import { isCrowded } from '../http/bytes/send-allowance.ts';
import { sendAnswer, sendFromMemory } from '../http/bytes/send-response.ts';
import { clockSkew, days, minutes } from '../lib/clock.ts';
import { type BlobCache, largestCached } from './blob-cache.ts';
import { repeatedBytes, storedBytes } from './byte-sources.ts';
import { createFinder } from './resolve-target.ts';
import type { PublicFile } from './look-up.ts';
import {
  beingChecked,
  cannotLookUp,
  digestRepresentationOf,
  scriptUseRefused,
  noSuchFile,
  representationOf,
  tooManyMissed,
} from './file-headers.ts';
import type { HitCounter } from './hits.ts';
import { createMissedLinks, isGuessable, type MissedLinks } from './missed-links.ts';
import { isScriptRequest } from './block-script-use.ts';
import { planSpeed, type Throttle } from './throttle.ts';

export interface DeliveryParts {
  readonly context: Context;
  readonly hits: HitCounter;
  readonly cache: BlobCache;
  readonly throttle: Throttle;
}

/** One request for a public link. */
export interface LinkRequest {
  readonly raw: IncomingMessage;
  readonly response: ServerResponse;
  /** The decoded path after `/file/`. */
  readonly target: string;
  /** False for previews, which do not count as downloads. */
  readonly counted: boolean;
  /** Key of the shared token bucket (see `clientKey`). */
  readonly client: string;
}

/** Handles requests for public links: look up, decide, send. It never rejects; the client sees the failure. */
export function createLinkServer(parts: DeliveryParts): (request: LinkRequest) => Promise<void> {
  const find = createFinder(parts.context);
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
      if (found.kind === 'file') return await deliverFile(parts, request, found.file);
      const answer = answerFor(method, raw.headers, digestRepresentationOf(found.file));
      sendFromMemory(response, answer, Buffer.from(found.file.sha256));
    } catch (error) {
      fail(parts, request, error);
    }
  };
}

async function missedAnswer(missedLinks: MissedLinks, { raw, client }: LinkRequest): Promise<FileAnswer> {
  const method = raw.method ?? 'GET';
  const wait = await missedLinks.count(client);
  return wait === 0 ? noSuchFile(method) : tooManyMissed(method, wait);
}

async function deliverFile(parts: DeliveryParts, request: LinkRequest, file: PublicFile): Promise<void> {
  const { context, hits, cache, throttle } = parts;
  const { raw, response } = request;
  const answer = answerFor(raw.method ?? 'GET', raw.headers, representationOf(file));
  const onStart = () => noteAccess(parts, request, file, answer);
  if (isAccess(request, answer) && isSoonOverdue(file, context.clock.now())) await hits.writeAccess(file.id);
  if (raw.method === 'HEAD' && !cache.holds(file.blobId)) await checkStored(context, file);
  if (answer.pieces.every((piece) => Buffer.isBuffer(piece))) {
    onStart();
    return sendFromMemory(response, answer);
  }
  if (context.config.accel === 'nginx' && canHandOver(raw.headers, answer)) {
    await checkStored(context, file);
    onStart();
    return handOver(response, answer, blobPath(file.blobId), planSpeed(file.level));
  }
  using pace = throttle.open(request.client, file.id, file.level);
  if (file.size > largestCached)
    return await sendAnswer(response, answer, { source: storedBytes(context, file), pace, onStart });
  const cached = cache.get(file.blobId, file.size, file.level);
  const bytes = Buffer.isBuffer(cached) ? cached : await cached;
  if (isCrowded() || pace?.takeAtOnce(bodyLength(answer)) === false)
    return await sendAnswer(response, answer, { source: repeatedBytes(bytes), pace, onStart });
  onStart();
  sendFromMemory(response, answer, bytes);
}

function noteAccess({ hits }: DeliveryParts, request: LinkRequest, file: PublicFile, answer: FileAnswer): void {
  if (isHit(request, answer)) hits.note(file.id);
  else if (isAccess(request, answer)) hits.noteAccess(file.id);
}

/** A hit is a GET that sends the file from its first byte and is not a preview. */
const isHit = ({ counted }: LinkRequest, { sendsFirstByte }: FileAnswer) => counted && sendsFirstByte;

/**
 * A file is in use if a client gets any part of it, or a confirmation that its copy is current: a browser that
 * revalidates a picture gets a 304.
 */
const isAccess = ({ raw, counted }: LinkRequest, { status }: FileAnswer) =>
  counted && raw.method === 'GET' && (status === 200 || status === 206 || status === 304);

/**
 * Returns whether auto-delete could delete the file before the next flush of accesses: on another machine, it does not
 * see this process's memory and has a different clock. Then the access is written before the response is sent. Days on
 * which the service was down only move the real deletion later.
 */
function isSoonOverdue({ uploadedAt, lastAccessedAt, autoDeleteDays }: PublicFile, now: number): boolean {
  const unusedSince = now - days(autoDeleteDays) + clockSkew + minutes(1);
  return autoDeleteDays > 0 && Math.max(uploadedAt, lastAccessedAt) <= unusedSince;
}

/** Responses that do not read the bytes in this process must not claim that missing bytes exist. */
async function checkStored({ blobs }: Context, { blobId, size }: PublicFile): Promise<void> {
  if (size > 0 && (await blobs.size(blobId)) !== size) throw new BlobMissing(blobId);
}

/** The client sees the failure and the operator gets an alarm; a short body must never look complete. */
function fail({ context }: DeliveryParts, { raw, response, target }: LinkRequest, error: unknown): void {
  if (error instanceof ClientGone) return void raw.socket.resetAndDestroy();
  if (error instanceof DatabaseUnavailable && !response.headersSent)
    return sendFromMemory(response, cannotLookUp(raw.method ?? 'GET'));
  const damaged = error instanceof BlobMissing;
  context.log.error({ err: error, target }, damaged ? 'ALARM: stored bytes are missing or short' : 'a download failed');
  context.reports.report(error, 'download');
  if (response.headersSent) raw.socket.resetAndDestroy();
  else sendFromMemory(response, textAnswer(raw.method ?? 'GET', 500, sorry));
}

const sorry = 'The file cannot be read at the moment. Its owner or the operator of this site can help.';
