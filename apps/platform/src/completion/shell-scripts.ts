/** The hidden command that each script calls with the words up to the cursor. */
export const askCommand = 'complete-words';
/** The last line that `complete-words` prints, if the shell should also offer paths. */
export const filesLine = ':files';

// The scripts call the program by the path that the user typed. So completion also works for `./platform` in a clone.

const bash = `# Completion of platform for bash 4.4 or newer: eval "$(platform completion bash)"
_platform() {
  local word value current words=()
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD}"; do
    # bash splits words at =, so = and the text after it are words of their own.
    [[ $word == "=" ]] || words+=("$word")
  done
  current=\${COMP_WORDS[COMP_CWORD]}
  [[ $current == "=" ]] && current="" && words+=("")
  COMPREPLY=()
  while IFS=$'\\t' read -r value _; do
    if [[ $value == ${filesLine} ]]; then
      compopt -o filenames 2>/dev/null
      while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$current")
    elif [[ -n $value ]]; then
      COMPREPLY+=("$value")
    fi
  done < <("\${COMP_WORDS[0]/#\\~/$HOME}" ${askCommand} -- "\${words[@]}" 2>/dev/null)
}
complete -F _platform platform
`;

const zsh = `#compdef platform
# Completion of platform for zsh: a file _platform in a folder of fpath, or source <(platform completion zsh)
_platform() {
  local line value
  local -a described
  for line in "\${(@f)$("\${(Q)words[1]/#\\~/$HOME}" ${askCommand} -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}"; do
    value=\${line%%$'\\t'*}
    if [[ $value == ${filesLine} ]]; then
      _files
    elif [[ -n $value ]]; then
      described+=("\${value//:/\\\\:}:\${line#*$'\\t'}")
    fi
  done
  (( \${#described} )) && _describe platform described
}
if [[ \${funcstack[1]} == _platform ]]; then _platform "$@"; else compdef _platform platform; fi
`;

const fish = `# Completion of platform for fish: platform completion fish > ~/.config/fish/completions/platform.fish
function __platform_words
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    for line in ($words[1] ${askCommand} -- $words[2..-1] "$current" 2>/dev/null)
        if test "$line" = ${filesLine}
            __fish_complete_path "$current"
        else
            echo $line
        end
    end
end
complete -c platform -f -a '(__platform_words)'
`;

export const shellScripts = { bash, zsh, fish } as const;
export type Shell = keyof typeof shellScripts;
