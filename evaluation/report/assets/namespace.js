// The report as one component: ReduceReport.mount(element, data, options).
// Every file adds its functions to this one name; none keeps state outside a mount.
"use strict";
var ReduceReport = {};
