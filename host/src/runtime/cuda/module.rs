//! Which of the embedded modules a device runs.

use wavewise_kernels::prebuilt::{self, Module};

use super::driver::Facts;

/// Why a module is not for a device.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ModuleError {
    /// Its waves have other lanes.
    #[error(
        "kernels for {target} have waves of {width} lanes; expected {expected}, which is what {device} runs: choose that with --width"
    )]
    Width {
        /// What the module is for.
        target: String,
        /// The lanes of its waves.
        width: u32,
        /// The device.
        device: String,
        /// The lanes of the device's waves.
        expected: u32,
    },
    /// It is for other hardware.
    #[error(
        "kernels for {target} do not run on {device}; expected kernels for compute capability {major}.{minor} or an older one: use a build that embeds them"
    )]
    Target {
        /// What the module is for.
        target: String,
        /// The device.
        device: String,
        /// Its compute capability.
        major: u32,
        /// The part after the point.
        minor: u32,
    },
    /// No module is for it.
    #[error(
        "no embedded kernels run on {device} of compute capability {major}.{minor}; expected a device that runs one of {present}: choose another with CUDA_VISIBLE_DEVICES"
    )]
    None {
        /// The device.
        device: String,
        /// Its compute capability.
        major: u32,
        /// The part after the point.
        minor: u32,
        /// What the modules are for.
        present: String,
    },
}

/// The newest of the embedded modules that `device` runs.
///
/// # Errors
///
/// [`ModuleError::None`], where it runs none of them.
pub(super) fn choose(device: &Facts) -> Result<&'static Module, ModuleError> {
    let (major, minor) = device.capability;
    let module = prebuilt::best_ptx(device.capability).ok_or_else(|| ModuleError::None {
        device: device.name.clone(),
        major,
        minor,
        present: prebuilt::ptx().iter().map(|module| module.target).collect::<Vec<_>>().join(", "),
    })?;
    compatible(module, device)?;
    Ok(module)
}

/// Whether `device` runs `module`.
///
/// # Errors
///
/// [`ModuleError`], where it does not.
fn compatible(module: &Module, device: &Facts) -> Result<(), ModuleError> {
    let (major, minor) = device.capability;
    let (target, name) = (module.target.to_owned(), device.name.clone());
    // PTX without a suffix runs on its own compute capability and on all newer ones.
    if capability(module.target).is_none_or(|oldest| oldest > device.capability) {
        Err(ModuleError::Target { target, device: name, major, minor })
    } else if module.width != device.width {
        let (width, expected) = (module.width, device.width);
        Err(ModuleError::Width { target, width, device: name, expected })
    } else {
        Ok(())
    }
}

/// The compute capability that PTX is for: of `sm_90` it is 9.0.
fn capability(target: &str) -> Option<(u32, u32)> {
    let number: u32 = target.strip_prefix("sm_")?.parse().ok()?;
    Some((number / 10, number % 10))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn device(major: u32, minor: u32) -> Facts {
        Facts {
            name: "a GPU".to_owned(),
            capability: (major, minor),
            width: 32,
            multiprocessors: 1,
            memory: 1,
        }
    }

    fn embedded(target: &str) -> &'static Module {
        let mut all = prebuilt::ptx().iter().chain(prebuilt::code_objects());
        all.find(|module| module.target == target).expect(target)
    }

    #[test]
    fn the_newest_that_the_device_runs() {
        let chosen = |major, minor| choose(&device(major, minor)).expect("a module").target;
        assert_eq!(chosen(7, 5), "sm_70");
        assert_eq!(chosen(8, 9), "sm_80");
        assert_eq!(chosen(9, 0), "sm_90");
        // As numbers, not as text: 12.0 is newer than 10.0, and 10.0 than 9.0.
        assert_eq!([chosen(10, 0), chosen(12, 0)], ["sm_100"; 2]);
    }

    #[test]
    fn a_device_older_than_all() {
        let line = choose(&device(6, 1)).expect_err("too old").to_string();
        for part in ["a GPU", "6.1", "sm_70, sm_80, sm_90, sm_100"] {
            assert!(line.contains(part), "{part} is not in {line}");
        }
    }

    #[test]
    fn waves_of_another_width() {
        let wide = Facts { width: 64, ..device(9, 0) };
        let expected = ModuleError::Width {
            target: "sm_90".into(),
            width: 32,
            device: "a GPU".into(),
            expected: 64,
        };
        assert_eq!(compatible(embedded("sm_90"), &wide), Err(expected.clone()));
        assert_eq!(choose(&wide), Err(expected));
        assert_eq!(compatible(embedded("sm_90"), &device(9, 0)), Ok(()));
    }

    #[test]
    fn other_hardware() {
        for (target, (major, minor)) in [
            ("sm_90", (8, 9)),
            ("sm_100", (9, 0)),
            ("gfx942", (9, 0)),
            // Waves of 32 do not make AMD's code NVIDIA's.
            ("gfx1100-wave32", (9, 0)),
        ] {
            let error = compatible(embedded(target), &device(major, minor));
            let device = "a GPU".into();
            let expected = ModuleError::Target { target: target.into(), device, major, minor };
            assert_eq!(error, Err(expected));
        }
    }
}
