import { DAY_STYLE } from '../../../../html/day-style.js';

const LIGHT = `--phase-dnsMs:#b197fc;--phase-connectMs:#74c0fc;--phase-tlsMs:#63e6be;--phase-firstByteMs:#8ce99a;--phase-transferMs:#ffd43b;--outage:rgba(201,42,42,.18)`;
const DARK = `--phase-dnsMs:#6741d9;--phase-connectMs:#1864ab;--phase-tlsMs:#0b7285;--phase-firstByteMs:#2b8a3e;--phase-transferMs:#a1660b;--outage:rgba(255,107,107,.28)`;

/** What the pages of monitors have beside what every page has. */
export const MONITORS_STYLE = `${DAY_STYLE}
:root{${LIGHT}}
@media(prefers-color-scheme:dark){:root{${DARK}}}
:root[data-theme=light]{${LIGHT}}
:root[data-theme=dark]{${DARK}}
.counts{display:flex;flex-wrap:wrap;gap:4px 20px;list-style:none}
.counts a{color:inherit;text-decoration:none;padding:4px 0}
.counts a:hover{text-decoration:underline}
.filters .states{flex:1 1 auto}
.chips{display:flex;flex-wrap:wrap;gap:0 16px}
.live{min-height:24px}
.live [role=status] a{font-weight:600;margin-left:12px}
.live [role=status] a::before{content:"● "}
.monitors th[scope=row]{width:32%}
.monitors td{white-space:normal}
.target{display:block}
.tags{display:flex;flex-wrap:wrap;gap:4px}
.tag{font-size:13px;line-height:20px;font-weight:400;padding:0 8px;border:1px solid var(--line);border-radius:12px;color:var(--quiet);text-decoration:none}
.tag:hover{text-decoration:underline}
.verifying{display:block}
.figure{white-space:nowrap}
.monitors .buttons .button{min-height:0;padding:0;border:0;text-decoration:underline}
@media(min-width:640px){.monitors [data-live] .quiet{display:block}}
/* Else columns move when a live text gets longer. */
@media(min-width:960px){.monitors{table-layout:fixed}.monitors thead th:nth-child(1){width:32%}.monitors thead th:nth-child(3){width:272px}}
.glance{display:flex;justify-content:flex-end;overflow:hidden;width:240px;max-width:100%}
.glance .bars{flex:none;width:100%;height:24px;margin:4px 0}
.bars{height:48px}
.bars g:hover>*,.bars .chosen>*{opacity:.6}
.bars:focus-visible{outline:2px solid var(--link);outline-offset:2px}
.scroll{overflow-x:auto}
.scroll table{border-collapse:collapse;width:100%;font-size:13px;line-height:20px}
.scroll th,.scroll td{text-align:left;padding:4px 12px 4px 0;border-bottom:1px solid var(--line);font-weight:400;vertical-align:top}
.scroll thead th{color:var(--quiet)}
.number,.scroll .number{text-align:right}
.number,.scroll .number,.scroll .moment{white-space:nowrap}
.day{min-height:20px}
.standing{padding:16px 20px;background:var(--card);border:1px solid var(--line);border-radius:8px;display:flex;flex-direction:column;gap:8px}
.standing .state{font-size:18px}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(176px,1fr));gap:12px}
.figures>div{padding:12px 16px;background:var(--card);border:1px solid var(--line);border-radius:8px}
.figures dt{font-size:13px;line-height:20px;color:var(--quiet);font-weight:400}
.chart{min-height:320px;background:var(--card);border:1px solid var(--line);border-radius:8px;padding:12px}
.u-legend{font-size:13px;line-height:20px}
.assertion{display:grid;grid-template-columns:1.2fr 1.2fr 1.2fr 1.4fr;gap:8px}
.trial{padding:16px 20px;background:var(--card);border:1px solid var(--line);border-left:6px solid var(--tone);border-radius:8px;display:flex;flex-direction:column;gap:8px}
@media(max-width:639px){
.glance{width:100%}
.glance .bars{width:300%}
.monitors th[scope=row]{width:auto}
.figures{grid-template-columns:1fr 1fr;gap:8px}
.figures>div{padding:8px 12px}
.assertion{grid-template-columns:1fr 1fr}
}
`;
