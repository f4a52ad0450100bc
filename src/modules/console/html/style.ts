import { DARK, LIGHT } from '../../../html/palette.js';

/** The one style sheet of the application: sizes 13, 15, 18, 24, spaces in multiples of 4. */
export const STYLE = `
:root{${LIGHT}}
@media(prefers-color-scheme:dark){:root{${DARK}}}
:root[data-theme=light]{${LIGHT}}
:root[data-theme=dark]{${DARK}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--ground);color:var(--text);font:400 15px/24px system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;font-variant-numeric:tabular-nums}
h1,h2,h3,p,ul,dl,dd,pre,fieldset,legend{margin:0;padding:0}
h1,h2,h3,label,legend,th,dt{font-weight:600}
h1{font-size:24px;line-height:32px;overflow-wrap:anywhere}
h2{font-size:18px;line-height:24px}
a{color:var(--link)}
a:focus-visible,button:focus-visible,input:focus-visible,select:focus-visible,summary:focus-visible,pre:focus-visible,[tabindex]:focus-visible{outline:2px solid var(--link);outline-offset:2px;border-radius:4px}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.skip{position:absolute;left:16px;top:-64px;z-index:1;padding:8px 16px;background:var(--card);border-radius:4px}
.skip:focus{top:8px}
.top{background:var(--card);border-bottom:1px solid var(--line)}
.bar{display:flex;flex-wrap:wrap;gap:8px 24px;align-items:center;max-width:1280px;margin:0 auto;padding:8px 24px}
.brand{font-weight:600;color:inherit;text-decoration:none}
.team{color:var(--quiet);overflow-wrap:anywhere;min-width:0}
.links{display:flex;flex-wrap:wrap;gap:4px 16px;list-style:none}
.links a{display:inline-block;padding:4px 0;color:inherit;text-decoration:none;border-bottom:2px solid transparent}
.links a:hover{text-decoration:underline}
.links a[aria-current]{border-bottom-color:var(--link);font-weight:600}
.end{display:flex;flex-wrap:wrap;gap:8px;align-items:center;margin-left:auto}
.head{display:flex;flex-wrap:wrap;gap:12px 24px;justify-content:space-between;align-items:center}
main{max-width:1280px;margin:0 auto;padding:24px 24px 48px;display:flex;flex-direction:column;gap:24px}
main.narrow{max-width:560px}
.sub{border-bottom:1px solid var(--line)}
section{display:flex;flex-direction:column;gap:12px;min-width:0}
.lead{color:var(--quiet);max-width:720px}
.form{display:flex;flex-direction:column;gap:16px;max-width:560px}
.inline{display:inline-flex;flex-wrap:wrap;gap:8px;align-items:center;max-width:100%}
.field{display:flex;flex-direction:column;gap:4px;border:0;min-width:0}
.help{font-weight:400;font-size:13px;line-height:20px;color:var(--quiet)}
.error{font-size:13px;line-height:20px;color:var(--down);font-weight:600}
.error::before{content:"▲ "}
.choice{display:flex;gap:8px;align-items:flex-start;font-weight:400;padding:4px 0}
.choice input{width:16px;height:16px;margin:4px 0;flex:none}
input:not([type=radio]):not([type=checkbox]):not([type=hidden]),select{font:inherit;color:inherit;background:var(--card);border:1px solid var(--quiet);border-radius:4px;padding:8px 12px;min-height:40px;width:100%;max-width:100%}
.inline select{width:auto;max-width:100%}
[aria-invalid=true]{border-color:var(--down)!important}
fieldset[aria-invalid=true]{border-left:2px solid var(--down);padding-left:12px}
.buttons{display:flex;flex-wrap:wrap;gap:8px 16px;align-items:center}
.button{font:inherit;font-weight:600;display:inline-block;min-height:40px;padding:8px 16px;border:1px solid var(--link);border-radius:4px;background:var(--link);color:var(--card);cursor:pointer;text-decoration:none}
.button.plain{background:transparent;color:var(--link);border-color:var(--line);font-weight:400}
.button.danger{background:var(--down);border-color:var(--down);color:var(--card)}
.button.small{min-height:32px;padding:4px 12px;font-size:13px;line-height:20px;color:inherit}
.button[aria-pressed=true]{border-color:var(--link);font-weight:600;color:var(--link)}
.button:hover{text-decoration:underline}
.table{border-collapse:collapse;width:100%;background:var(--card);border:1px solid var(--line);border-radius:8px}
.table th,.table td{text-align:left;vertical-align:baseline;padding:8px 16px;border-top:1px solid var(--line);overflow-wrap:anywhere}
.table thead th{border-top:0;font-size:13px;line-height:20px;color:var(--quiet);font-weight:400}
.table code{font-size:13px}
.quiet{color:var(--quiet);font-size:13px;line-height:20px;font-weight:400}
.state{display:inline-flex;gap:8px;align-items:center}
.mark{width:12px;height:12px;flex:none;display:block}
.up{--tone:var(--up)}.degraded{--tone:var(--degraded)}.down{--tone:var(--down)}.maintenance{--tone:var(--maintenance)}
.paused{--tone:var(--paused)}.excluded{--tone:var(--excluded)}.unknown{--tone:var(--unknown)}
.mark *{fill:var(--tone);stroke:var(--tone)}
.mark .hollow{fill:none}
.empty{padding:16px;background:var(--card);border:1px dashed var(--line);border-radius:8px;color:var(--quiet)}
.done,.summary,.warning{padding:12px 16px;background:var(--card);border:1px solid var(--line);border-left:6px solid var(--up);border-radius:8px}
.summary{border-left-color:var(--down)}
.warning{border-left-color:var(--degraded)}
.summary ul{padding-left:20px}
.summary h2{font-size:15px}
.copy{display:flex;flex-wrap:wrap;gap:8px;align-items:flex-start}
.copy pre{flex:1 1 280px;min-width:0;padding:8px 12px;background:var(--card);border:1px solid var(--line);border-radius:4px;font:13px/20px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;white-space:pre-wrap;overflow-wrap:anywhere}
.curl summary{cursor:pointer;color:var(--link);font-size:13px;line-height:24px;display:inline-block}
.curl summary::before{content:"▸ "}
.curl[open] summary::before{content:"▾ "}
.facts{display:grid;grid-template-columns:minmax(96px,max-content) 1fr;gap:4px 16px}
.facts dd{overflow-wrap:anywhere}
@media(max-width:639px){
.bar,main{padding-left:16px;padding-right:16px}
.bar{gap:4px 16px}
.team{flex:1 1 0;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.top nav{order:1;flex:0 0 100%;min-width:0}
.top .links{flex-wrap:nowrap;overflow-x:auto;white-space:nowrap;scrollbar-width:none;margin:0 -16px;padding:0 16px}
.top form[action="/team"]{order:1;flex:0 0 100%;flex-wrap:nowrap}
.top form[action="/team"] select{flex:1 1 auto;min-width:0}
.end a{display:none}
.table,.table tbody,.table tr,.table th,.table td{display:block}
.table thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.table tr{padding:12px 0;border-top:1px solid var(--line)}
.table tr:first-child{border-top:0}
.table th,.table td{border:0;padding:2px 16px}
.table td:empty{display:none}
.table td>.buttons{display:inline-flex;vertical-align:baseline}
.table.compact td{display:inline-block;padding:2px 0 2px 16px}
.table:not(.compact) td[data-label]::before{content:attr(data-label) ": ";color:var(--quiet);font-size:13px}
}
@media(forced-colors:active){.mark{forced-color-adjust:none}}
`;
