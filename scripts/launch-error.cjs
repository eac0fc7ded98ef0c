/** Something that whoever started the command can mend: its message says how, and no stack is printed. */
class LaunchError extends Error {}

module.exports = { LaunchError };
