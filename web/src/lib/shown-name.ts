/**
 * The file name for display, without the characters that change the direction of text: with them `photo\u202Egpj.exe`
 * would look like `photoexe.jpg`. Links and downloads keep the original name.
 */
export const shownName = (name: string): string => name.replace(/\p{Bidi_Control}/gu, '');
