// Packed triangles to square arrays, packed numbers to lists; evaluation/report/pack.py writes them.
(function (report) {
  const STEPS = 65534;

  function bytesOf(text) {
    const raw = atob(text);
    const bytes = new Uint8Array(raw.length);
    for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
    return new DataView(bytes.buffer);
  }

  const READERS = {
    f8: (view, place) => view.getFloat64(8 * place, true),
    u2: (view, place) => {
      const step = view.getUint16(2 * place, true);
      return step > STEPS ? NaN : step / STEPS;
    },
  };

  /** Whole numbers, seven bits a byte. */
  report.unpackNumbers = function (text) {
    const view = bytesOf(text);
    const numbers = [];
    let [number, shift] = [0, 0];
    for (let i = 0; i < view.byteLength; i++) {
      const byte = view.getUint8(i);
      number += (byte & 127) * 2 ** shift;
      shift += 7;
      if (byte > 127) continue;
      numbers.push(number);
      [number, shift] = [0, 0];
    }
    return numbers;
  };

  /** Rows of n flags, each from a new byte on. */
  report.unpackBits = function (text, n) {
    const view = bytesOf(text);
    const width = Math.ceil(n / 8);
    const rows = [];
    for (let start = 0; start < view.byteLength; start += width) {
      const row = new Uint8Array(n);
      for (let i = 0; i < n; i++) row[i] = (view.getUint8(start + (i >> 3)) >> (i & 7)) & 1;
      rows.push(row);
    }
    return rows;
  };

  /** The n×n array, row by row, symmetric, with `diagonal` where a page meets itself. */
  report.unpackTriangle = function (packed, n, diagonal = 1) {
    const square = new Float64Array(n * n);
    const view = bytesOf(packed.data);
    const read = READERS[packed.type];
    let place = 0;
    for (let i = 0; i < n; i++) {
      square[i * n + i] = diagonal;
      for (let j = i + 1; j < n; j++) {
        square[i * n + j] = square[j * n + i] = read(view, place++);
      }
    }
    return square;
  };
})(ReduceReport);
