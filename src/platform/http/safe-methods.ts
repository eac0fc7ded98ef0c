const SAFE_METHODS = ['GET', 'HEAD'];

/** Whether requests with this method change nothing (RFC 9110, 9.2.1). */
export const isSafeMethod = (method: string) => SAFE_METHODS.includes(method);
