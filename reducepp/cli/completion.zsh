#compdef reducepp
_reducepp() {
  local current="${words[CURRENT]}" previous="${words[CURRENT-1]}" command="" flags="" values=""
  (( CURRENT == 2 )) || command="${words[2]}"
  if [[ "$current" == --*=* ]]; then previous="${current%%=*}"; compset -P '*='; current=""; fi
  case "$command" in
@flags@
  esac
  case "$command $previous" in
@values@
  esac
  [ -n "$command" ] || values="@commands@"

  if [[ "$current" == -* ]]; then values="$flags"; fi
  compadd -- ${=values} && [[ "$previous" != --profile ]] || _files
}
if [[ "${zsh_eval_context[-1]}" == loadautofunc ]]; then _reducepp "$@"
else compdef _reducepp reducepp; fi
