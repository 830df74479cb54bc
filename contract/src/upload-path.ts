/** Kept apart from the other calls, because the home page shows this path but makes no calls. */
export const uploadPath = '/api/v3/upload';
