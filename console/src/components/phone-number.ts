/** A phone number as people write it, without what is only there to be read. */
export const e164Of = (text: string) => text.replace(/[\s().-]/g, '');
