UPDATE heartbeats SET open_runs = '[["run-1", 1795599000000], [null, 1795599000000]]';
