//! Work on several threads.

/// Calls `work` with parts of `rows` on this number of threads, which includes this one.
pub fn chunks<T: Send>(mut rows: Vec<T>, threads: usize, work: impl Fn(Vec<T>) + Sync) {
    let length = rows.len().div_ceil(threads.max(1)).max(1);
    if rows.len() <= length {
        return work(rows);
    }
    std::thread::scope(|scope| {
        while rows.len() > length {
            let part = rows.split_off(rows.len() - length);
            let work = &work;
            scope.spawn(move || work(part));
        }
        work(rows);
    });
}
