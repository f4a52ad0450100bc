import { expect, it } from '@jest/globals';
import { type AlertingFiguresDto } from '../../notifications/dto/alerting-report.dto.js';
import { reportSentence, secondsText } from './report-words.js';

const NONE = { medianSeconds: null, p95Seconds: null };

function figures(incidentCount: number, notifiedCount: number, median = 4, p95 = 31): AlertingFiguresDto {
  return {
    ...{ incidentCount, notifiedCount, acknowledgedCount: 0, failureToConfirmed: NONE, sentToAcknowledged: NONE },
    confirmedToSent: notifiedCount === 0 ? NONE : { medianSeconds: median, p95Seconds: p95 },
  };
}

it.each([
  [figures(12, 12), 'All 12 outages were reported: half within 4 s of their confirmation, 95% within 31 s.'],
  [figures(1_200, 11), 'Of 1,200 outages, 11 were reported: half within 4 s of their confirmation, 95% within 31 s.'],
  [figures(3, 1), 'Of 3 outages, 1 was reported, 4 s after its confirmation.'],
  [figures(1, 1, 0.04), 'The outage was reported 0 s after its confirmation.'],
  [figures(1, 0), 'The outage was not reported to anyone.'],
  [figures(3, 0), 'None of the 3 outages was reported to anyone.'],
])('summarises how many outages were reported, and how fast', (total, sentence) => {
  expect(reportSentence(total)).toBe(sentence);
});

it.each([
  [0, '0 s'],
  [0.84, '0.8 s'],
  [9.94, '9.9 s'],
  [9.96, '10 s'],
  [59.4, '59 s'],
  [59.6, '1 min'],
  [125, '2 min 5 s'],
  [3_599.7, '1 h'],
  [5_400, '1 h 30 min'],
  [86_399, '1 d'],
  [183_600, '2 d 3 h'],
])('formats %s seconds as %s', (seconds, text) => {
  expect(secondsText(seconds)).toBe(text);
});
