/** An error that the user can fix. Its message says how, and it is printed without a stack. */
class LaunchError extends Error {}

module.exports = { LaunchError };
