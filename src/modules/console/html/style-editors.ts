/** What only pages with long forms and histories need, beside the style of all. */
export const EDITOR_STYLE = `
textarea{font:inherit;color:inherit;background:var(--card);border:1px solid var(--quiet);border-radius:4px;padding:8px 12px;min-height:96px;width:100%;resize:vertical}
textarea:focus-visible{outline:2px solid var(--link);outline-offset:2px;border-radius:4px}
.wide{max-width:960px}
.group{display:flex;flex-direction:column;gap:16px;border:1px solid var(--line);border-radius:8px;padding:16px;background:var(--card);min-width:0}
.group>legend{padding:0 8px;margin-left:-8px;overflow-wrap:anywhere}
.columns{display:grid;grid-template-columns:repeat(auto-fit,minmax(208px,1fr));gap:16px;align-items:start}
.columns input{height:42px}
.colour{display:flex;gap:8px}
.colour input[type=color]:not([hidden]){flex:0 0 56px;padding:4px;cursor:pointer}
.days label,.choice label{font-weight:400}
.days{display:flex;flex-wrap:wrap;gap:0 16px}
.filters{display:flex;flex-wrap:wrap;gap:12px 16px;align-items:end}
.filters .field{flex:0 1 176px}
.filters .grow{flex:1 1 240px}
.filters input:not([type=checkbox]),.filters select,.filters .button{height:42px}
.picks{list-style:none;padding:0;margin:0;display:flex;flex-direction:column;border:1px solid var(--line);border-radius:8px;background:var(--card)}
.picks>li{display:flex;flex-wrap:wrap;gap:4px 16px;align-items:center;justify-content:space-between;padding:8px 16px;min-width:0}
.picks>li+li{border-top:1px solid var(--line)}
.picks>li>span{min-width:0;overflow-wrap:anywhere}
.search{display:flex;flex-wrap:wrap;gap:8px;align-items:end}
.search .field{flex:1 1 208px}
.parts{list-style:none;padding:0;margin:0;display:flex;flex-direction:column;gap:16px}
.told{list-style:none;padding:0 0 0 16px;margin:0;border-left:2px solid var(--line);display:flex;flex-direction:column;gap:16px}
.told p{white-space:pre-line;overflow-wrap:anywhere}
h3{font-size:15px;line-height:24px}
main ul:not([class]){padding-left:20px}
.table .state{white-space:nowrap}
.prose{max-width:720px;overflow-wrap:anywhere}
.lines{white-space:pre-line}
.mono{font:13px/20px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
details:not(.curl)>summary{cursor:pointer;color:var(--link);font-size:13px;line-height:24px;width:fit-content}
details.group{display:block}
details.group>summary{font-size:15px;width:auto}
.more{display:flex;flex-direction:column;gap:16px;padding-top:16px}
details.more{display:block;padding-top:0}
@media(max-width:639px){.group{padding:12px}.filters .field{flex:1 1 128px}}
`;
