/** What a call takes at most, whether it is started alone or by a campaign. */
export const MAX_VARIABLES = 100;
export const MAX_VARIABLE_LENGTH = 4_000;
export const MAX_CUSTOMER_NAME_LENGTH = 200;
