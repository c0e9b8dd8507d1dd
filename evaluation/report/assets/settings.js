// What the reader has set: threshold, keeper, weights. One store a mount; views listen.
(function (report) {
  report.makeSettings = function (data) {
    const start = {
      threshold: data.threshold,
      keep: data.keep,
      weights: data.profile.signals.map((signal) => signal.weight),
    };
    let now = start;
    const listeners = [];
    return {
      start,
      get: () => now,
      /** Change some settings; every listener hears once. */
      set(change) {
        now = { ...now, ...change };
        for (const listener of listeners) listener(now);
      },
      listen(listener) {
        listeners.push(listener);
        listener(now);
      },
    };
  };

  /** The settings as a command and, where weights were changed, a profile to save. */
  report.describeSettings = function (settings, profile) {
    const changed = settings.weights.some((w, i) => w !== profile.signals[i].weight);
    const name = changed ? "my-profile.toml" : profile.name;
    const words = [`reducepp reduce INPUT --profile ${name} --threshold ${settings.threshold}`];
    if (profile.linkage !== "single") words.push(`--linkage ${profile.linkage}`);
    if (settings.keep !== "rank") words.push(`--keep ${settings.keep}`);
    return { command: words.join(" "), profile: changed ? profileText(settings, profile) : "" };
  };

  function profileText(settings, profile) {
    const whole = settings.weights.reduce((sum, weight) => sum + weight, 0) || 1;
    const lines = [
      `threshold = ${settings.threshold}`,
      `prepare = "${profile.prepare}"`,
      `missing = "${profile.missing}"`,
      `linkage = "${profile.linkage}"`,
    ];
    profile.signals.forEach((signal, i) => {
      lines.push("", "[[signals]]", `name = "${signal.name}"`, `content = "${signal.content}"`);
      lines.push(`measure = "${signal.measure}"`);
      lines.push(`weight = ${Number((settings.weights[i] / whole).toFixed(8))}`);
      const options = Object.entries(signal.options);
      if (options.length) lines.push("[signals.options]");
      for (const [key, value] of options) lines.push(`${key} = ${JSON.stringify(value)}`);
    });
    return lines.join("\n") + "\n";
  }
})(ReduceReport);
