//! The simulator's sum, in elements a second.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use wavewise_host::element::DType;
use wavewise_host::input::{self, Options, Source};
use wavewise_host::runtime::{Job, Kernel, Operator, Runtime, Simulator};

fn simulated_sum(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("simulated sum");
    group.sample_size(10);
    for n in [1_000_000, 100_000_000] {
        let options = Options { dtype: Some(DType::F32), ..Options::default() };
        let data = input::load(&Source::Random { n, seed: 1 }, options).expect("random values");
        group.throughput(Throughput::Elements(n));
        for width in [32, 64] {
            let job =
                Job { data: &data, operator: Operator::Sum, kernel: Kernel::Butterfly, width };
            group.bench_function(
                BenchmarkId::new(format!("f32, waves of {width}"), n),
                |bencher| {
                    bencher
                        .iter(|| Simulator.reduce(0, black_box(&job), &|_, _| ()).expect("a sum"));
                },
            );
        }
    }
    group.finish();
}

criterion_group!(benches, simulated_sum);
criterion_main!(benches);
