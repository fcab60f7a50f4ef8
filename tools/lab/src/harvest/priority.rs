//! Lowest priority for this process, so that it uses only what other programs leave.

/// Moves the calling thread to the idle classes of the processor scheduler and of the disk. Threads that it starts
/// later inherit both.
///
/// # Errors
/// If the system refuses; the message contains its reason.
#[cfg(target_os = "linux")]
pub(super) fn lower() -> Result<(), String> {
    use thread_priority::{
        NormalThreadSchedulePolicy, ThreadPriority, ThreadSchedulePolicy,
        set_thread_priority_and_policy, thread_native_id, thread_schedule_policy,
    };
    let idle = ThreadSchedulePolicy::Normal(NormalThreadSchedulePolicy::Idle);
    let set = set_thread_priority_and_policy(thread_native_id(), ThreadPriority::Min, idle);
    // The call also sets the nice value to 0, which fails where it was higher. The idle class ignores that value.
    if thread_schedule_policy() != Ok(idle) {
        return Err(format!("{set:?}"));
    }
    let process = ioprio::Target::Process(ioprio::Pid::this());
    let idle = ioprio::Priority::new(ioprio::Class::Idle);
    ioprio::set_priority(process, idle).map_err(|error| error.to_string())
}

/// Does nothing: only Linux has idle classes that a process can choose for itself.
///
/// # Errors
/// Always, so that a message informs the user.
#[cfg(not(target_os = "linux"))]
pub(super) fn lower() -> Result<(), String> {
    Err("this is implemented for Linux only; start Gaur with `nice -n 19`".to_owned())
}
