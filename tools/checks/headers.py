"""Every header compiles alone."""
import subprocess


def problems(root, build):
    done = subprocess.run(["cmake", "--build", str(build), "--target", "header_check"], text=True, capture_output=True)
    if done.returncode == 0:
        return []
    errors = [line for line in done.stdout.splitlines() if "error:" in line]
    return errors[:20] or [done.stdout.strip()[-2000:] + done.stderr.strip()]
