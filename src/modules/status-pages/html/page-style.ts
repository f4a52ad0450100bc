import { createHash } from 'node:crypto';
import { DAY_STYLE } from '../../../html/day-style.js';
import { DARK, LIGHT } from '../../../html/palette.js';

/** The one style sheet of the public pages. */
export const PAGE_STYLE = `${DAY_STYLE}
:root{${LIGHT}}
@media(prefers-color-scheme:dark){:root{${DARK}}}
:root[data-theme=light]{${LIGHT}}
:root[data-theme=dark]{${DARK}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--ground);color:var(--text);font:400 15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;font-variant-numeric:tabular-nums}
.page{max-width:960px;margin:0 auto;padding:32px 24px 48px}
h1,h2,h3,h4,p,ul,figure{margin:0;padding:0}
h1,h2,h3,h4,.word,.overall{font-weight:600}
a{color:var(--link)}
a:focus-visible,summary:focus-visible{outline:2px solid var(--link);outline-offset:2px;border-radius:4px}
.head{display:flex;gap:16px;align-items:center;margin-bottom:24px;overflow-wrap:anywhere}
.head>div{min-width:0}
.head img{display:block;max-height:48px;max-width:160px;flex:none}
h1{font-size:24px;line-height:32px}
h1 a{color:inherit;text-decoration:none}
h1 a:hover{text-decoration:underline}
.about{color:var(--quiet);white-space:pre-line;overflow-wrap:anywhere}
.overall-box{display:flex;gap:16px;align-items:flex-start;padding:20px 24px;margin-bottom:32px;background:var(--card);border:1px solid var(--line);border-left:6px solid var(--tone);border-radius:8px}
.overall-box>div{min-width:0}
.overall-box .mark{width:24px;height:24px;margin-top:4px}
.overall{font-size:24px;line-height:32px}
.overall-box p{overflow-wrap:anywhere}
.quiet{color:var(--quiet);font-size:13px;line-height:20px}
section{margin-bottom:32px}
h2{font-size:18px;line-height:24px;margin-bottom:12px;overflow-wrap:anywhere}
.cards{list-style:none;background:var(--card);border:1px solid var(--line);border-radius:8px}
.card{padding:16px 24px}
.card+.card{border-top:1px solid var(--line)}
.row{display:flex;gap:4px 16px;justify-content:space-between;align-items:baseline}
h3,h4{font-size:15px;line-height:24px;min-width:0;overflow-wrap:anywhere}
.state{display:inline-flex;gap:8px;align-items:center;white-space:nowrap}
.mark{width:12px;height:12px;flex:none;display:block}
.up{--tone:var(--up)}.degraded{--tone:var(--degraded)}.down{--tone:var(--down)}.maintenance{--tone:var(--maintenance)}
.paused{--tone:var(--paused)}.excluded{--tone:var(--excluded)}.unknown{--tone:var(--unknown)}
.mark *{fill:var(--tone);stroke:var(--tone)}
.mark .hollow{fill:none}
.bars{height:36px;margin-top:12px}
.bars g:hover,.bars g:hover *{opacity:.7}
.swatch{width:12px;height:12px;margin:0;flex:none}
.day{padding:12px 0;border-top:1px solid var(--line)}
.day .cards{margin-top:8px}
.day:has(.cards){padding-bottom:20px}
.aged{margin-bottom:16px;padding:12px 24px;background:var(--card);border:1px solid var(--line);border-left:6px solid var(--unknown);border-radius:8px;display:flex;gap:12px;align-items:baseline}
.updates{list-style:none;margin:12px 0 0;padding:0 0 0 16px;border-left:2px solid var(--line)}
.updates li+li{margin-top:8px}
.updates .about{color:var(--text)}
.scale{margin-top:4px}
.scale>span:nth-child(2){color:var(--text)}
details{margin-top:4px}
summary{display:inline-block;cursor:pointer;color:var(--link);font-size:13px;line-height:24px}
summary::before{content:"▸ "}
details[open] summary::before{content:"▾ "}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:13px;line-height:20px}
th,td{text-align:left;padding:4px 12px 4px 0;border-bottom:1px solid var(--line);vertical-align:top;font-weight:400}
thead th{color:var(--quiet)}
.number{text-align:right;white-space:nowrap}
.legend{display:flex;flex-wrap:wrap;gap:4px 20px;list-style:none;margin-bottom:12px}
footer{border-top:1px solid var(--line);padding-top:16px}
footer p{margin-bottom:4px}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.notice{max-width:560px;padding-top:64px}
.notice h1{margin-bottom:8px}
.notice p{margin-bottom:16px}
@media(max-width:639px){
.page{padding:20px 16px 32px}
.overall-box{padding:16px;gap:12px}
.overall{font-size:18px;line-height:24px}
.overall-box .mark{margin-top:0}
.card,.aged{padding:16px}
.row,.row>.state{flex-wrap:wrap}
.row>.state{white-space:normal;row-gap:0}
.scale>span:nth-child(2){order:-1;width:100%}
}
@media(forced-colors:active){.mark{forced-color-adjust:none}}
@media print{.page{max-width:none}}
`;

/** Changes with the style, so that caches may keep it for good. */
export const PAGE_STYLE_VERSION = createHash('sha256').update(PAGE_STYLE).digest('hex').slice(0, 12);
