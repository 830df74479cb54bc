/** Uploads that resume, by tus 1.0 (https://tus.io/protocols/resumable-upload), with the creation, expiration, checksum and termination extensions. */

export const tusVersion = '1.0.0';
export const tusPath = '/api/v3/tus';
export const tusContentType = 'application/offset+octet-stream';
export const tusExtensions = ['creation', 'creation-with-upload', 'expiration', 'checksum', 'termination'] as const;
export const checksumAlgorithms = ['sha256', 'sha1'] as const;

/** The public link, in the response that completes an upload and in each one to HEAD after it. */
export const linkHeader = 'Holdfast-Link';

/** Of one account, at a time. */
export const mostUnfinishedUploads = 20;
/** Milliseconds after the last byte. */
export const unfinishedFor = 24 * 60 * 60 * 1000;
