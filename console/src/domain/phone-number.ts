/** A phone number without its spaces, brackets, dots and hyphens. */
export const e164Of = (text: string) => text.replace(/[\s().-]/g, '');
