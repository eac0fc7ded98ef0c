const IS_NUMBER = /^\+?[\d\s().-]{4,}$/;

/** The filter of the list of calls for a search: digits are a number or its end, other text is a part of a name. */
export const searchFilter = (term: string): { number: string } | { customer_name: string } =>
  IS_NUMBER.test(term) ? { number: term.replace(/[^\d+]/g, '') } : { customer_name: term };
