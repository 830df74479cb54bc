/** For pages that make no other call, so that they do not load the list of all. */

export const uploadPath = '/api/v3/upload';
export const logoutPath = '/api/v3/session/logout';

/** The account that a tab acts for: another tab may since have signed in to another one. */
export const actingForHeader = 'Holdfast-Account';
