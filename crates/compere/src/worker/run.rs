//! `compere worker`: the loop of a worker process.

use std::collections::HashMap;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};

use compere_jobs::Commission;
use compere_own::Making;
use rustix::process::{Resource, Rlimit, getrlimit, setpriority_process, setrlimit};
use serde_json::Value;

use super::answers::Answers;
use super::films::Floor;
use super::mouth::Mouth;
use super::others::Others;
use super::protocol::{DeskError, FromWorker, Hello, Pass, Question, ToWorker};
use super::{builds, company, films};
use crate::worker::studio::LocalStudio;

/// Questions answered side by side: as many as are asked.
const HANDS: usize = compere_house::desk::QUICK;
/// How willingly films and long questions let others go first.
const YIELDING: i32 = 5;

/// What is to be done.
enum Errand {
    Film(Box<Commission>, PathBuf, Vec<Pass>, bool),
    Help(Box<Commission>, PathBuf, Vec<Pass>),
    Bake(Box<Value>, String),
    Ask(u64, Box<Question>, Vec<Pass>, String),
    Build(Box<Making>),
}

/// Questions that are not answered yet, and whether nobody waits for them any more.
#[derive(Debug, Default)]
struct Asked(Mutex<HashMap<u64, Arc<AtomicBool>>>);

impl Asked {
    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<u64, Arc<AtomicBool>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn of(&self, id: u64) -> Arc<AtomicBool> {
        Arc::clone(self.lock().entry(id).or_default())
    }

    fn forget(&self, id: u64) {
        if let Some(left) = self.lock().get(&id) {
            left.store(true, Ordering::Relaxed);
        }
    }

    fn answered(&self, id: u64) {
        self.lock().remove(&id);
    }
}

/// Works until standard input ends.
pub fn run() -> ExitCode {
    let mut input = BufReader::new(std::io::stdin());
    let mut line = String::new();
    let read = input.read_line(&mut line).map(|_| serde_json::from_str::<ToWorker>(&line));
    let Ok(Ok(ToWorker::Hello(hello))) = read else {
        // Started by hand, or by a service that ended at once.
        return ExitCode::from(2);
    };
    let mouth = Mouth::new();
    let cancel = Arc::new(AtomicBool::new(false));
    let (errands, todo) = mpsc::channel();
    // Listens before anything is opened: a service that is gone is noticed at once, whatever we are doing.
    let (listening, asked) = (Arc::clone(&cancel), Arc::new(Asked::default()));
    let others = Arc::new(Others::new(mouth.clone()));
    let company = Arc::new(company::Others::new(mouth.clone()));
    let heard = (Arc::clone(&asked), Arc::clone(&others), Arc::clone(&company));
    std::thread::spawn(move || listen(input, &errands, &listening, &heard.0, &heard.1, &heard.2));
    let studio = match limited(&hello).and_then(|()| LocalStudio::of_worker(&hello)) {
        Ok(studio) if hello.shares => Arc::new(studio.beside_others(others)),
        Ok(studio) => Arc::new(studio),
        Err(why) => {
            mouth.tell(&FromWorker::Unfit { why });
            return ExitCode::from(1);
        }
    };
    mouth.tell(&FromWorker::Ready);
    if hello.films {
        make_films(&todo, &studio, &hello, &mouth, &cancel, &company);
    } else {
        answer(todo, &studio, &hello, &mouth, &asked);
    }
    ExitCode::SUCCESS
}

/// The loop of the one thread that reads. The end of the input is the end of the service.
fn listen(
    input: BufReader<std::io::Stdin>,
    errands: &mpsc::Sender<Errand>,
    cancel: &AtomicBool,
    asked: &Asked,
    others: &Others,
    company: &company::Others,
) {
    for line in input.lines().map_while(Result::ok) {
        let sent = match serde_json::from_str(&line) {
            Ok(ToWorker::Film { commission, dir, passes, together }) => {
                cancel.store(false, Ordering::Relaxed);
                errands.send(Errand::Film(commission, dir, passes, together)).is_ok()
            }
            Ok(ToWorker::Help { commission, dir, passes }) => {
                cancel.store(false, Ordering::Relaxed);
                errands.send(Errand::Help(commission, dir, passes)).is_ok()
            }
            Ok(ToWorker::Bake { project, account }) => {
                cancel.store(false, Ordering::Relaxed);
                errands.send(Errand::Bake(project, account)).is_ok()
            }
            Ok(ToWorker::Ask { id, question, passes, account }) => {
                asked.of(id);
                errands.send(Errand::Ask(id, question, passes, account)).is_ok()
            }
            Ok(ToWorker::Build(making)) => errands.send(Errand::Build(making)).is_ok(),
            Ok(ToWorker::Forget { id }) => {
                asked.forget(id);
                true
            }
            Ok(ToWorker::Fetched { id, found }) => {
                others.hear(id, found);
                true
            }
            Ok(ToWorker::Part { id, answer }) => {
                company.hear(id, answer);
                true
            }
            Ok(ToWorker::Cancel) => {
                cancel.store(true, Ordering::Relaxed);
                true
            }
            Ok(ToWorker::Hello(_)) | Err(_) => false,
        };
        if !sent {
            break;
        }
    }
    // Nothing is tidied: whatever lies around belongs to an export that somebody will take up again.
    std::process::exit(0);
}

fn make_films(
    todo: &mpsc::Receiver<Errand>,
    studio: &LocalStudio,
    hello: &Hello,
    mouth: &Mouth,
    cancel: &Arc<AtomicBool>,
    company: &company::Others,
) {
    let home = hello.home();
    while let Ok(errand) = todo.recv() {
        match errand {
            Errand::Film(commission, dir, passes, together) => {
                studio.admit(passes);
                let floor =
                    Floor { studio, settings: &hello.settings, mouth, cancel, company: together.then_some(company) };
                let outcome = films::make(&commission, &dir, floor);
                mouth.tell(&FromWorker::Ended(outcome.told_as(|message| home.discreet(message))));
            }
            Errand::Help(commission, dir, passes) => {
                studio.admit(passes);
                let floor = Floor { studio, settings: &hello.settings, mouth, cancel, company: None };
                let outcome = films::help(&commission, &dir, floor, company);
                mouth.tell(&FromWorker::Ended(outcome.told_as(|message| home.discreet(message))));
            }
            Errand::Bake(project, account) => {
                let floor = Floor { studio, settings: &hello.settings, mouth, cancel, company: None };
                let outcome = films::bake(&project, &account, floor);
                mouth.tell(&FromWorker::Ended(outcome.told_as(|message| home.discreet(message))));
            }
            Errand::Build(making) => mouth.tell(&FromWorker::Built(builds::build(&making, studio, &home, mouth))),
            Errand::Ask(..) => {}
        }
    }
}

fn answer(todo: mpsc::Receiver<Errand>, studio: &LocalStudio, hello: &Hello, mouth: &Mouth, asked: &Asked) {
    let answers = Answers::new(studio, &hello.settings);
    let (home, todo) = (hello.home(), Mutex::new(todo));
    std::thread::scope(|scope| {
        for _ in 0..HANDS {
            scope.spawn(|| {
                loop {
                    let errand = todo.lock().unwrap_or_else(PoisonError::into_inner).recv();
                    match errand {
                        Ok(Errand::Ask(id, question, passes, account)) => {
                            studio.admit(passes);
                            let answer = answers
                                .answer(*question, &account, &asked.of(id))
                                .map_err(|error| DeskError { message: home.discreet(&error.message), ..error });
                            let answer = Box::new(answer);
                            asked.answered(id);
                            mouth.tell(&FromWorker::Answer { id, answer });
                        }
                        Ok(Errand::Film(..) | Errand::Help(..) | Errand::Bake(..) | Errand::Build(_)) => {}
                        Err(_) => return,
                    }
                }
            });
        }
    });
}

/// Keeps the machine usable for everybody else.
fn limited(hello: &Hello) -> Result<(), String> {
    if !hello.settings.worker_memory.is_zero() {
        // The soft limit only: decoders in the sandbox have limits of their own.
        let maximum = getrlimit(Resource::As).maximum;
        let limit = Rlimit { current: Some(hello.settings.worker_memory.bytes()), maximum };
        setrlimit(Resource::As, limit).map_err(|error| format!("the memory of a worker cannot be limited: {error}"))?;
    }
    if hello.yields {
        // Forbidden in some containers, and only a courtesy.
        let _ = setpriority_process(None, YIELDING);
    }
    Ok(())
}
