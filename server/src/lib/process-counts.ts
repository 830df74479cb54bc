/** Counts since the process started, for monitoring. */
export const processCounts = { uploads: 0, uploadedBytes: 0, downloads: 0, refusedConnections: 0 };
