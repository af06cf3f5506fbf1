/**
 * What makes two written references one: neither capital letters nor spaces, full-width forms or characters
 * that nobody sees. The database's own key (bank_reference_key) is what holds; this one tells a file's
 * faults by their lines before.
 */
export const bankReferenceKey = (written: string): string =>
  written
    .normalize('NFKC')
    .replace(/[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .toUpperCase();
