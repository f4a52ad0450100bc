/** What days look like wherever they are drawn. Narrow screens show the last of them, as wide as the drawing itself says. */
export const DAY_STYLE = `
.bars{display:block}
.bars [class]:not(g){fill:var(--tone)}
.hatch rect{fill:var(--hatch)}.hatch path{stroke:var(--unknown);stroke-width:1.5}
.scale{display:flex;justify-content:space-between;gap:4px 16px;flex-wrap:wrap}
.from-narrow{display:none}
.days-shown{display:flex;justify-content:flex-end}
.days-shown .bars{flex:none}
@media(min-width:640px){.days-shown .bars{width:100%}}
@media(max-width:639px){.days-shown{overflow:hidden}.from-wide{display:none}.from-narrow{display:inline}}
@media(forced-colors:active){.bars{forced-color-adjust:none}}
`;
