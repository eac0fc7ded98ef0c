/** Takes the data out of the envelope of an answer. */
export const unwrap = async <Data>(answer: Promise<{ data: Data }>): Promise<Data> => (await answer).data;
