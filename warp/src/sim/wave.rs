//! The lanes of one wave, and the collectives at which they meet.

use std::ptr;

use super::clock::Clock;
use super::lane::{Agreed, Deed, Lane, Request, Stop};
use super::report::{Activity, Fault, Group};
use crate::LaneMask;

/// What became of a wave whose lanes have all stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Met {
    /// Lanes may go on, and what all did so far belongs together.
    All,
    /// Some lanes may go on; the others have run ahead of them.
    Some,
    /// No lane may go on by the wave's own doing.
    None,
}

/// Runs the collectives for which all lanes are there, and counts each by its name.
///
/// `lanes` are those of one wave, all of them stopped.
pub(super) fn resolve(
    lanes: &[Lane],
    mut count: impl FnMut(&'static str),
) -> Result<Met, Box<Fault>> {
    let live = select(lanes, |stop| !matches!(stop, Stop::Returned));
    if live.is_empty() {
        return Ok(Met::None);
    }
    let whole =
        select(lanes, |stop| matches!(stop, Stop::Collective(Request { members: None, .. })));
    if whole == live {
        count(execute(lanes, live)?);
        return Ok(Met::All);
    }
    let mut met = Met::None;
    let masked =
        select(lanes, |stop| matches!(stop, Stop::Collective(Request { members: Some(_), .. })));
    for lane in masked {
        if let Some(members) = complete(lanes, live, lane)? {
            count(execute(lanes, members)?);
            met = Met::Some;
        }
    }
    let ahead = select(lanes, |stop| matches!(stop, Stop::Window));
    if met == Met::None && !ahead.is_empty() {
        release(lanes, ahead);
        met = Met::All;
    }
    Ok(met)
}

/// The lanes whose state is as asked.
fn select(lanes: &[Lane], is: impl Fn(&Stop) -> bool) -> LaneMask {
    lanes.iter().filter(|lane| is(&lane.stop.borrow())).map(|lane| lane.lane).collect()
}

fn release(lanes: &[Lane], who: LaneMask) {
    for lane in who {
        *lanes[lane as usize].stop.borrow_mut() = Stop::Ready;
    }
}

/// The members of the masked collective at which `lane` waits, if all of them wait there.
fn complete(lanes: &[Lane], live: LaneMask, lane: u32) -> Result<Option<LaneMask>, Box<Fault>> {
    let stop = lanes[lane as usize].stop.borrow();
    let Stop::Collective(request) = &*stop else { return Ok(None) };
    let Some(members) = request.members else { return Ok(None) };
    if !members.contains(lane) || !(members - live).is_empty() {
        return Err(Box::new(Fault::WrongMask {
            collective: request.called,
            lane,
            members,
            live,
            wave: lanes[0].wave,
            site: request.site,
        }));
    }
    let there = members.iter().all(|member| {
        matches!(&*lanes[member as usize].stop.borrow(), Stop::Collective(other) if same_call(request, other))
    });
    Ok(there.then_some(members))
}

fn same_call(a: &Request, b: &Request) -> bool {
    ptr::eq(a.site, b.site) && a.name == b.name && a.members == b.members && a.payload == b.payload
}

/// Runs the collective at which all of `who` wait, and lets them go on.
fn execute(lanes: &[Lane], who: LaneMask) -> Result<&'static str, Box<Fault>> {
    let name = perform(lanes, who)?;
    release(lanes, who);
    Ok(name)
}

fn perform(lanes: &[Lane], who: LaneMask) -> Result<&'static str, Box<Fault>> {
    let first = lanes[who.lowest_or_capacity() as usize].stop.borrow();
    let Stop::Collective(first) = &*first else { unreachable!("the members wait at a collective") };
    let mut votes = LaneMask::EMPTY;
    let mut agree = true;
    for lane in who {
        let stop = lanes[lane as usize].stop.borrow();
        let Stop::Collective(request) = &*stop else { unreachable!("as above") };
        if !same_call(first, request) {
            return Err(Box::new(Fault::Divergence(activities(lanes))));
        }
        agree &= request.agreed.is_none_or(|own| {
            let segment = LaneMask::range(lane / own.span * own.span, own.span);
            agreed(lanes, who.intersect(segment).lowest_or_capacity()) == Some(own)
        });
        if let Deed::Ballot(true) = request.deed {
            votes |= LaneMask::single(lane);
        }
    }
    if !agree {
        return Err(Box::new(disagreement(lanes, who, first)));
    }
    match first.deed {
        Deed::Shuffle { .. } => move_values(lanes, who, first)?,
        Deed::Ballot(_) => who.iter().for_each(|lane| lanes[lane as usize].votes.set(votes)),
        Deed::Sync => {
            let clocks = who.iter().map(|lane| &lanes[lane as usize].clock);
            // The wave's counter would also vouch for lanes that have returned.
            if who.count() as usize == lanes.len() {
                Clock::pass_sync(clocks);
            } else {
                Clock::pass_sync_among(clocks);
            }
        }
        Deed::Agree => {}
    }
    Ok(first.name)
}

/// What `lane` gives for the argument that must agree.
fn agreed(lanes: &[Lane], lane: u32) -> Option<Agreed> {
    match &*lanes[lane as usize].stop.borrow() {
        Stop::Collective(request) => request.agreed,
        _ => None,
    }
}

/// Copies every lane's value from its source.
fn move_values(lanes: &[Lane], who: LaneMask, first: &Request) -> Result<(), Box<Fault>> {
    for lane in who {
        let stop = lanes[lane as usize].stop.borrow();
        let Stop::Collective(Request { deed: Deed::Shuffle { source, result, bytes, .. }, .. }) =
            *stop
        else {
            unreachable!("all lanes make the same call")
        };
        if !who.contains(source) {
            return Err(Box::new(Fault::AbsentSource {
                collective: first.called,
                lane,
                source,
                present: who,
                wave: lanes[0].wave,
                site: first.site,
            }));
        }
        let source = lanes[source as usize].stop.borrow();
        let Stop::Collective(Request { deed: Deed::Shuffle { value, bytes: there, .. }, .. }) =
            *source
        else {
            unreachable!("all lanes make the same call")
        };
        assert_eq!(bytes, there, "one call has one type");
        // SAFETY: both point to variables of `bytes` bytes on the stacks of lanes that are
        // stopped inside the call, the result's exclusively; a result is no value.
        unsafe { ptr::copy_nonoverlapping(value, result, bytes) };
    }
    Ok(())
}

fn disagreement(lanes: &[Lane], who: LaneMask, first: &Request) -> Fault {
    let mut values: Vec<(LaneMask, u32)> = Vec::new();
    let mut argument = "";
    for lane in who {
        let stop = lanes[lane as usize].stop.borrow();
        let Stop::Collective(Request { agreed: Some(Agreed { name, value, .. }), .. }) = *stop
        else {
            continue;
        };
        argument = name;
        match values.iter_mut().find(|(_, other)| *other == value) {
            Some((group, _)) => *group |= LaneMask::single(lane),
            None => values.push((LaneMask::single(lane), value)),
        }
    }
    Fault::Disagreement {
        collective: first.called,
        argument,
        values,
        wave: lanes[0].wave,
        site: first.site,
    }
}

/// What the lanes of a wave are doing, lanes that do the same together.
pub(super) fn activities(lanes: &[Lane]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for lane in lanes {
        let activity = match &*lane.stop.borrow() {
            Stop::Collective(Request { called, site, members: None, .. }) => {
                Activity::Collective(called, site)
            }
            Stop::Collective(Request { called, site, members: Some(members), .. }) => {
                Activity::MaskedCollective(called, *members, site)
            }
            Stop::Barrier(site) => Activity::Barrier(site),
            Stop::Spin(site) => Activity::Spinning(site),
            Stop::Returned => Activity::Returned,
            Stop::Ready | Stop::Window | Stop::Fault(_) => continue,
        };
        match groups.iter_mut().find(|group| group.activity == activity) {
            Some(group) => group.lanes |= LaneMask::single(lane.lane),
            None => {
                groups.push(Group { wave: lane.wave, lanes: LaneMask::single(lane.lane), activity })
            }
        }
    }
    groups
}
