import { ApiError } from './errors';

/** Gives the errors of a body the path at which the body stands. */
export async function atPath<Result>(path: string, work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ApiError) || !error.members.errors) throw error;
    const errors = error.members.errors.map(({ field, message }) => ({
      field: field.replace(/^body\b/, path),
      message,
    }));
    throw new ApiError(error.errorCode, error.message, { ...error.members, errors }, error.headers);
  }
}
