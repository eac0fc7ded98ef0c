/** Every value of a closed list of the API: the compiler refuses a missing value and an unknown one. */
export const allValues = <Value extends string>(values: Record<Value, true>) =>
  Object.keys(values) as Value[];
