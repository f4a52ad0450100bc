/** How a job reports from one environment. */
export interface ReportLines {
  title: string;
  text: string;
}

/** Returns ready lines with which jobs report to an address. `cron` is the schedule of the monitor, if it has one. */
export function reportLines(url: string, cron: string | null): ReportLines[] {
  const curl = 'curl -fsS -m 10 --retry 5 -o /dev/null';
  return [
    { title: 'Shell', text: `${curl} ${url}/start\n./job.sh\n${curl} ${url}/$?` },
    { title: 'cron', text: `${cron ?? '0 2 * * *'} /path/to/job.sh; ${curl} ${url}/$?` },
    {
      title: 'systemd',
      text: [
        '# job.service',
        '[Unit]',
        'OnFailure=job-failed.service',
        '[Service]',
        'Type=oneshot',
        `ExecStartPre=-/usr/bin/${curl} ${url}/start`,
        'ExecStart=/path/to/job.sh',
        `ExecStartPost=/usr/bin/${curl} ${url}`,
        '',
        '# job-failed.service',
        '[Service]',
        'Type=oneshot',
        `ExecStart=/usr/bin/${curl} ${url}/fail`,
      ].join('\n'),
    },
    {
      title: 'Kubernetes CronJob',
      text: [
        'apiVersion: batch/v1',
        'kind: CronJob',
        'metadata: { name: job }',
        'spec:',
        `  schedule: "${cron ?? '0 2 * * *'}"`,
        '  jobTemplate:',
        '    spec:',
        '      template:',
        '        spec:',
        '          restartPolicy: Never',
        '          containers:',
        '            - name: job',
        '              image: example.com/job',
        `              command: ["sh", "-c", "./job.sh; ${curl} ${url}/$?"]`,
      ].join('\n'),
    },
    {
      title: 'GitHub Actions',
      text: [
        '# The last step of the job. DAYWATCH_URL is a secret with the address above.',
        '- if: always()',
        `  run: ${curl} "$DAYWATCH_URL\${{ job.status != 'success' && '/fail' || '' }}"`,
        '  env: { DAYWATCH_URL: "${{ secrets.DAYWATCH_URL }}" }',
      ].join('\n'),
    },
    {
      title: 'PowerShell',
      text: `& .\\job.ps1\nInvoke-RestMethod -TimeoutSec 10 -Uri "${url}/$(if ($?) { 0 } else { 1 })"`,
    },
  ];
}
