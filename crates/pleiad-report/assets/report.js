"use strict";
(() => {
  const root = document.documentElement;
  const media = window.matchMedia("(prefers-color-scheme: dark)");
  const charts = new Map();
  const projections = ["projection-before", "projection-after"];
  const printWidths = { half: 330, map: 480, full: 680 };
  const printHeights = { half: 320 };
  const faint = 0.05;
  let selected = null;

  // Charts name colours; the theme says which they are.
  const painted = (value, style) => {
    if (typeof value === "string") {
      const name = /^var\((--[a-z0-9-]+)\)$/.exec(value);
      return name ? style.getPropertyValue(name[1]).trim() : value;
    }
    if (Array.isArray(value)) return value.map((item) => painted(item, style));
    if (value && typeof value === "object") {
      return Object.fromEntries(
        Object.entries(value).map(([key, item]) => [key, painted(item, style)]),
      );
    }
    return value;
  };

  const draw = (chart, size) => {
    const figure = painted(chart.figure, getComputedStyle(root));
    if (projections.includes(chart.id)) {
      figure.data.forEach((trace, cluster) => {
        if (selected !== null && trace.name !== "linked") {
          trace.marker.opacity = cluster === selected ? 0.95 : faint;
          trace.marker.size += cluster === selected ? 2 : 0;
        }
      });
    }
    Object.assign(figure.layout, size);
    return Plotly.react(chart.place, figure.data, figure.layout, {
      displayModeBar: false,
      responsive: !size,
      doubleClick: false,
    });
  };
  const drawAll = () => charts.forEach((chart) => draw(chart));

  // Themes.
  const button = document.getElementById("theme");
  const isDark = () =>
    root.dataset.theme ? root.dataset.theme === "dark" : media.matches;
  const nameTheme = () => button.setAttribute("aria-pressed", String(isDark()));
  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    nameTheme();
    drawAll();
  });
  media.addEventListener("change", () => {
    nameTheme();
    drawAll();
  });
  nameTheme();

  // One cluster at a time, everywhere.
  const chips = [...document.querySelectorAll(".chip[data-cluster]")];
  const cards = [...document.querySelectorAll(".card")];
  const announcement = document.getElementById("announcement");
  const select = (cluster) => {
    selected = cluster === selected ? null : cluster;
    for (const chip of chips) {
      chip.setAttribute("aria-pressed", String(Number(chip.dataset.cluster) === selected));
    }
    for (const card of cards) {
      const isOwn = Number(card.dataset.cluster) === selected;
      card.classList.toggle("is-selected", isOwn);
      card.classList.toggle("is-dimmed", selected !== null && !isOwn);
    }
    root.dataset.selected = selected === null ? "" : String(selected);
    if (announcement) {
      announcement.textContent =
        selected === null
          ? "All clusters are shown"
          : `Cluster ${selected + 1} is highlighted before, after and among the portraits`;
    }
    projections.forEach((id) => charts.has(id) && draw(charts.get(id)));
  };
  for (const chip of chips) {
    chip.addEventListener("click", () => select(Number(chip.dataset.cluster)));
  }
  const all = document.getElementById("all-clusters");
  if (all) all.addEventListener("click", () => select(selected));
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && selected !== null) select(selected);
  });

  // The same rows on both sides.
  const rowsOf = (chart) => {
    const rows = [];
    for (const trace of chart.figure.data) {
      (trace.customdata || []).forEach((row, at) => {
        rows[row] = [trace.x[at], trace.y[at]];
      });
    }
    return rows;
  };
  const mark = (chart, places) =>
    Plotly.restyle(
      chart.place,
      { x: [places.map((place) => place[0])], y: [places.map((place) => place[1])] },
      [chart.figure.data.length - 1],
    );
  const link = () => {
    const [before, after] = projections.map((id) => charts.get(id));
    const [rowsBefore, rowsAfter] = [rowsOf(before), rowsOf(after)];
    const together = new Map();
    rowsAfter.forEach((place, row) => {
      const key = place.join();
      together.set(key, [...(together.get(key) || []), row]);
    });
    const show = (rows) => {
      mark(before, rows.map((row) => rowsBefore[row]));
      mark(after, rows.map((row) => rowsAfter[row]));
    };
    before.place.on("plotly_hover", (event) => show([event.points[0].customdata]));
    after.place.on("plotly_hover", (event) =>
      show(together.get(rowsAfter[event.points[0].customdata].join())),
    );
    for (const chart of [before, after]) chart.place.on("plotly_unhover", () => show([]));
  };

  const begin = async () => {
    for (const place of document.querySelectorAll(".chart")) {
      const id = place.dataset.chart;
      const figure = JSON.parse(document.getElementById(`data-${id}`).textContent);
      const chart = { id, place, figure };
      charts.set(id, chart);
      await draw(chart);
    }
    for (const id of projections) {
      const chart = charts.get(id);
      if (chart) chart.place.on("plotly_click", (event) => select(event.points[0].curveNumber));
    }
    const map = charts.get("contingency");
    if (map) map.place.on("plotly_click", (event) => select(Number(event.points[0].y) - 1));
    const pair = document.querySelector(".pair");
    if (pair && pair.dataset.linked === "true") link();
    root.dataset.drawn = String(charts.size);
  };

  // On paper: light, as wide as the page, everything shown.
  let before = null;
  window.addEventListener("beforeprint", () => {
    before = root.dataset.theme || "";
    root.dataset.theme = "light";
    charts.forEach((chart) => {
      const kind = chart.place.dataset.print;
      const height = printHeights[kind] || chart.figure.layout.height;
      chart.place.style.height = `${height}px`;
      draw(chart, { width: printWidths[kind], height, autosize: false });
    });
  });
  window.addEventListener("afterprint", () => {
    if (before) root.dataset.theme = before;
    else delete root.dataset.theme;
    charts.forEach((chart) => {
      chart.place.style.height = `${chart.figure.layout.height}px`;
    });
    drawAll();
  });
  document.getElementById("print").addEventListener("click", () => window.print());

  begin();
})();
