/** The home page shows this path but makes no calls. */
export const uploadPath = '/api/v3/upload';
