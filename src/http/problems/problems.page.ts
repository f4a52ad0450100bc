import { PROBLEM_CODES, PROBLEMS } from './problem-codes.js';

/** Returns the page that the `type` of a problem refers to: each code with its status and title, all constants. */
export function problemsPage(): string {
  const rows = PROBLEM_CODES.map((code) => {
    const { status, title } = PROBLEMS[code];
    return `<tr id="${code}"><td><code>${code}</code></td><td>${status}</td><td>${title}</td></tr>`;
  });
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Problems · Daywatch API</title></head><body>',
    '<h1>Problems</h1><p>Every error response is <code>application/problem+json</code> with one of these codes.</p>',
    `<table><thead><tr><th>code</th><th>status</th><th>title</th></tr></thead><tbody>${rows.join('')}</tbody></table>`,
    '</body></html>',
  ].join('\n');
}
