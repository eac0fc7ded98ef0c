import { Argument, type Command } from 'commander';
import type { Cli } from '../cli';

/** The words that may follow a command, by the words of the command with a space before each. */
function listWords(command: Command, path = ''): [path: string, words: string[]][] {
  const commands = command.commands.filter((child) => child.name() !== 'help');
  const flags = command.options.filter(({ hidden }) => !hidden).map(({ long }) => long ?? '');
  const words = [...commands.map((child) => child.name()), ...flags, '--help'];
  return [[path, words], ...commands.flatMap((child) => listWords(child, `${path} ${child.name()}`))];
}

/** Walks along the words that are commands, and chooses what may follow them. Both shells understand it. */
function writeChoice(program: Command): string {
  const entries = listWords(program);
  const paths = entries.map(([path]) => path).filter((path) => path !== '');
  const cases = entries.map(([path, words]) => `    '${path}') choices='${words.join(' ')}' ;;`);
  return `_parley_words() {
  local at='' word
  for word in "$@"; do
    case "$at $word" in
      ${paths.map((path) => `'${path}'`).join('|')}) at="$at $word" ;;
    esac
  done
  case "$at" in
${cases.join('\n')}
  esac
}`;
}

const SCRIPTS = {
  bash: (program: Command) => `# Completion of parley for bash: source <(parley completion bash)
${writeChoice(program)}
_parley() {
  local choices current="\${COMP_WORDS[COMP_CWORD]}"
  _parley_words "\${COMP_WORDS[@]:1:COMP_CWORD-1}"
  COMPREPLY=($(compgen -W "$choices" -- "$current"))
}
complete -o default -F _parley parley`,
  zsh: (program: Command) => `#compdef parley
# Completion of parley for zsh: source <(parley completion zsh)
${writeChoice(program).replace('_parley_words() {', '_parley_words() {\n  emulate -L zsh')}
_parley() {
  local given=("\${(@)words[2,CURRENT-1]}") choices
  _parley_words "\${given[@]}"
  compadd -- \${=choices}
  _files
}
compdef _parley parley`,
};

export function addCompletionCommand(program: Command, cli: Cli): void {
  program
    .command('completion')
    .description('print the completion script of a shell')
    .addArgument(new Argument('<shell>').choices(Object.keys(SCRIPTS)))
    .action((shell: keyof typeof SCRIPTS) => cli.output.write(`${SCRIPTS[shell](program)}\n`));
}
