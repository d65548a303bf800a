//! What encoders of others take, in processor time, as FFmpeg counts it.

use std::path::Path;
use std::process::Command;

use super::done;

/// Seconds that FFmpeg needs to read a recording.
pub(super) fn of_reading(pictures: &Path) -> Result<f64, String> {
    counted(pictures, &[])
}

/// Seconds that it needs to read a recording and to code it with libx264 on one thread, as we do.
pub(super) fn of_coding(pictures: &Path, preset: &str, factor: u32) -> Result<f64, String> {
    counted(pictures, &["-c:v", "libx264", "-preset", preset, "-crf", &factor.to_string(), "-threads", "1"])
}

fn counted(pictures: &Path, how: &[&str]) -> Result<f64, String> {
    let mut command = Command::new("ffmpeg");
    command.args(["-hide_banner", "-nostats", "-benchmark", "-nostdin", "-i"]).arg(pictures);
    let said = done(command.args(how).args(["-f", "null", "-"]))?;
    told(&said).ok_or_else(|| format!("ffmpeg does not say how long it worked: {said}"))
}

/// Of the line that `-benchmark` adds: `bench: utime=1.250s stime=0.040s rtime=0.700s`.
fn told(said: &str) -> Option<f64> {
    let line = said.lines().find(|line| line.starts_with("bench: utime="))?;
    let seconds = |name: &str| line.split(name).nth(1)?.split('s').next()?.parse::<f64>().ok();
    Some(seconds("utime=")? + seconds("stime=")?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processor_time_is_what_it_took_itself_and_in_the_kernel() {
        let said = "video:100kB audio:0kB\nbench: utime=1.250s stime=0.040s rtime=0.700s\nbench: maxrss=51200kB\n";
        assert_eq!(told(said), Some(1.29));
        assert_eq!(told("frame=  240 fps=0.0\n"), None);
    }
}
