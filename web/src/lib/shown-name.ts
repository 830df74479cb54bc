/**
 * A file's name as it is shown. The marks that turn the direction of text are left out: among them `photo\u202Egpj.exe`
 * reads as `photoexe.jpg`. Links and downloads keep the name as it is.
 */
export const shownName = (name: string): string => name.replace(/\p{Bidi_Control}/gu, '');
